// A word that follows the pointer: mouse, pen or finger.

export interface DragTarget {
  /** The place of a word now, and the middle of its tile (CSS px of the stage). */
  placeOf(word: number): number;
  middleOf(word: number): { readonly x: number; readonly y: number };
  /** The place it should take when its middle is at a point. */
  placeAt(word: number, x: number, y: number): number;
  move(from: number, to: number): void;
  /** Shows the word shifted from its tile. */
  shift(word: number, x: number, y: number): void;
  /** The word is let go. */
  drop(word: number): void;
}

/** A pointer that has moved less than this (px) is a click. */
const SLACK = 4;

export class WordDrag {
  private word: number | undefined;
  private grab = { x: 0, y: 0 };
  private start = { x: 0, y: 0 };
  private last = { x: 0, y: 0 };
  private moving = false;

  constructor(private readonly target: DragTarget) {}

  /** The word under way; undefined when none is. */
  get dragged(): number | undefined {
    return this.moving ? this.word : undefined;
  }

  press(word: number, x: number, y: number): void {
    const middle = this.target.middleOf(word);
    this.word = word;
    this.grab = { x: x - middle.x, y: y - middle.y };
    this.start = this.last = { x, y };
    this.moving = false;
  }

  /** True when a word moved with the pointer. */
  follow(x: number, y: number): boolean {
    if (this.word === undefined) return false;
    this.last = { x, y };
    if (!this.moving && Math.hypot(x - this.start.x, y - this.start.y) < SLACK) return false;
    this.moving = true;
    const from = this.target.placeOf(this.word);
    const to = this.target.placeAt(this.word, x - this.grab.x, y - this.grab.y);
    if (to !== from) this.target.move(from, to);
    this.show();
    return true;
  }

  /** Keeps the word under the pointer when its tile has moved. */
  show(): void {
    if (this.word === undefined || !this.moving) return;
    const middle = this.target.middleOf(this.word);
    this.target.shift(this.word, this.last.x - this.grab.x - middle.x, this.last.y - this.grab.y - middle.y);
  }

  /** Ends the drag; true when there was one and not a click. */
  release(): boolean {
    const { word, moving } = this;
    this.word = undefined;
    this.moving = false;
    if (word !== undefined && moving) this.target.drop(word);
    return moving;
  }
}
