// Detects a long press. A touch that rests or moves sideways lifts the item, a vertical movement scrolls the page, and a short touch is a
// tap.

/** Duration of a long press in ms. It is shorter than the press that opens a context menu. */
const PRESS_TIME_MS = 220;
/** A touch that moves farther than this distance in px is not resting. */
const REST_TOLERANCE_PX = 8;
/** A touch that moves sideways by more than this distance in px lifts the item, unless it moves farther vertically. */
const PULL_DISTANCE_PX = 5;

export class LongPress {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private startPoint = { x: 0, y: 0 };
  private onLift = (): void => {};

  /** Whether the touch is still resting and has not lifted the item yet. */
  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  /** Starts tracking a touch. `onHold` is called when the touch has rested long enough or moved sideways. */
  begin(x: number, y: number, onHold: () => void): void {
    this.end();
    this.startPoint = { x, y };
    this.onLift = (): void => {
      this.end();
      onHold();
    };
    this.timer = setTimeout(this.onLift, PRESS_TIME_MS);
  }

  move(x: number, y: number): void {
    if (!this.isWaiting) return;
    const [dx, dy] = [Math.abs(x - this.startPoint.x), Math.abs(y - this.startPoint.y)];
    if (dx > PULL_DISTANCE_PX && dx > dy) this.onLift();
    else if (Math.hypot(dx, dy) > REST_TOLERANCE_PX) this.end();
  }

  /**
   * Ends the touch without lifting the item.
   * @returns whether the touch was still waiting. If so, and the pointer was released, it was a tap.
   */
  end(): boolean {
    const { isWaiting } = this;
    clearTimeout(this.timer);
    this.timer = undefined;
    return isWaiting;
  }
}
