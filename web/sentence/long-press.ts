// A finger that rests on something for a while takes hold of it; one that moves or leaves before scrolls the page.

/** How long it rests, ms: shorter than the long press that opens a menu. */
const REST = 400;
/** A finger that moves further than this (px) does not rest. */
const TOLERANCE = 8;

export class LongPress {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private start = { x: 0, y: 0 };

  /** Whether a finger rests and has not taken hold yet. */
  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  /** A finger comes down; `hold` is called when it has rested long enough. */
  begin(x: number, y: number, hold: () => void): void {
    this.end();
    this.start = { x, y };
    this.timer = setTimeout(() => {
      this.timer = undefined;
      hold();
    }, REST);
  }

  move(x: number, y: number): void {
    if (Math.hypot(x - this.start.x, y - this.start.y) > TOLERANCE) this.end();
  }

  /** The finger is up, or scrolls. @returns whether it was waiting: with a finger that goes up, a tap */
  end(): boolean {
    const { isWaiting } = this;
    clearTimeout(this.timer);
    this.timer = undefined;
    return isWaiting;
  }
}
