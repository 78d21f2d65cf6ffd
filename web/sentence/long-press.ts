// A touch that rests or moves sideways lifts the item. A vertical movement scrolls the page, and a short touch is a tap.

/** Duration of a long press in ms, shorter than that of a press that opens a menu. */
const PRESS_TIME = 220;
/** Distance in px above which a moving touch no longer counts as resting. */
const REST_TOLERANCE = 8;
/** Sideways distance in px above which a touch lifts the item, if it moves less vertically. */
const PULL_DISTANCE = 5;

export class LongPress {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private start = { x: 0, y: 0 };
  private onHold = (): void => {};

  /** Whether a touch is resting, and has not lifted the item yet. */
  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  /** Starts a touch. `onHold` is called when the touch has rested long enough or moved sideways. */
  begin(x: number, y: number, onHold: () => void): void {
    this.end();
    this.start = { x, y };
    this.onHold = (): void => {
      this.end();
      onHold();
    };
    this.timer = setTimeout(this.onHold, PRESS_TIME);
  }

  move(x: number, y: number): void {
    if (!this.isWaiting) return;
    const [dx, dy] = [Math.abs(x - this.start.x), Math.abs(y - this.start.y)];
    if (dx > PULL_DISTANCE && dx > dy) this.onHold();
    else if (Math.hypot(dx, dy) > REST_TOLERANCE) this.end();
  }

  /**
   * Ends the touch without lifting the item.
   * @returns whether the touch was still waiting: if the pointer was released, it was a tap
   */
  end(): boolean {
    const { isWaiting } = this;
    clearTimeout(this.timer);
    this.timer = undefined;
    return isWaiting;
  }
}
