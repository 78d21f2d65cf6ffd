// A touch that rests for a while lifts the item, as does one that moves sideways; a touch that moves vertically or ends earlier scrolls the
// page.

/** Duration, ms: shorter than the long press that opens a menu. */
const REST = 220;
/** A touch that moves further than this (px) does not rest. */
const TOLERANCE = 8;
/** A touch that moves further than this sideways (px), and less vertically, pulls the item. */
const PULL = 5;

export class LongPress {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private start = { x: 0, y: 0 };
  private hold = (): void => {};

  /** Whether a touch is resting, and has not lifted the item yet. */
  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  /** Starts a touch; `hold` is called when it has rested long enough, or pulls. */
  begin(x: number, y: number, hold: () => void): void {
    this.end();
    this.start = { x, y };
    this.hold = (): void => {
      this.end();
      hold();
    };
    this.timer = setTimeout(this.hold, REST);
  }

  move(x: number, y: number): void {
    if (!this.isWaiting) return;
    const [across, down] = [Math.abs(x - this.start.x), Math.abs(y - this.start.y)];
    if (across > PULL && across > down) this.hold();
    else if (Math.hypot(across, down) > TOLERANCE) this.end();
  }

  /**
   * Ends the touch, or lets it scroll.
   * @returns whether it was waiting: a tap if it has ended
   */
  end(): boolean {
    const { isWaiting } = this;
    clearTimeout(this.timer);
    this.timer = undefined;
    return isWaiting;
  }
}
