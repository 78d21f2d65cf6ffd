// A finger that rests on something for a while takes hold of it, and one that pulls it sideways does at once; one that moves up or down or leaves
// before scrolls the page.

/** How long it rests, ms: shorter than the long press that opens a menu. */
const REST = 220;
/** A finger that moves further than this (px) does not rest. */
const TOLERANCE = 8;
/** One that moves further than this sideways (px), and less up and down, pulls. */
const PULL = 5;

export class LongPress {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private start = { x: 0, y: 0 };
  private hold = (): void => {};

  /** Whether a finger rests and has not taken hold yet. */
  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  /** A finger comes down; `hold` is called when it has rested long enough, or pulls. */
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

  /** The finger is up, or scrolls. @returns whether it was waiting: with a finger that goes up, a tap */
  end(): boolean {
    const { isWaiting } = this;
    clearTimeout(this.timer);
    this.timer = undefined;
    return isWaiting;
  }
}
