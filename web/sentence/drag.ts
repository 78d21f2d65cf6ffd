// Dragging a word with mouse, pen or finger.
import { entryAt } from '../charts/entry-at.ts';
import { inside } from '../charts/inside.ts';
import type { Box } from '../charts/picture.ts';

export interface DragTarget {
  /** The current position of a word, and the centre of its tile (CSS px of the stage). */
  placeOf(word: number): number;
  centreOf(word: number): { readonly x: number; readonly y: number };
  /** The target position of a word whose centre is at a point. */
  placeAt(word: number, x: number, y: number): number;
  move(from: number, to: number): void;
  /** Shows the word with its centre at a point. */
  carry(word: number, x: number, y: number): void;
  /** Ends the drag of a word at its target position. */
  drop(word: number): void;
}

/** Distance in px below which the movement of a pointer is a click. */
const CLICK_TOLERANCE = 5;

export class WordDrag {
  private word: number | undefined;
  private grab = { x: 0, y: 0 };
  private start = { x: 0, y: 0 };
  private moving = false;

  constructor(private readonly target: DragTarget) {}

  /** The dragged word; undefined if there is none. */
  get dragged(): number | undefined {
    return this.moving ? this.word : undefined;
  }

  press(word: number, x: number, y: number): void {
    const centre = this.target.centreOf(word);
    this.word = word;
    this.grab = { x: x - centre.x, y: y - centre.y };
    this.start = { x, y };
    this.moving = false;
  }

  /** Lifts the word before the pointer moves, as after a long press. */
  lift(): void {
    this.moving = this.word !== undefined;
  }

  /**
   * Moves the lifted word with the pointer.
   * @returns whether a word is lifted
   */
  follow(x: number, y: number): boolean {
    if (this.word === undefined) return false;
    if (!this.moving && Math.hypot(x - this.start.x, y - this.start.y) < CLICK_TOLERANCE) return false;
    this.moving = true;
    const from = this.target.placeOf(this.word);
    const to = this.target.placeAt(this.word, x - this.grab.x, y - this.grab.y);
    if (to !== from) this.target.move(from, to);
    this.target.carry(this.word, x - this.grab.x, y - this.grab.y);
    return true;
  }

  /**
   * Ends the drag.
   * @returns whether there was a drag, rather than a click
   */
  release(): boolean {
    const { word, moving } = this;
    this.word = undefined;
    this.moving = false;
    if (word !== undefined && moving) this.target.drop(word);
    return moving;
  }
}

/**
 * The target position in a line for the word at `from` whose centre is at `x`: the nearest position, so that neighbours move when the word is
 * halfway there, and are never covered.
 */
export function placeInLine(tiles: readonly Box[], from: number, x: number): number {
  const dragged = tiles[from];
  if (!dragged) return from;
  // Tiles in between close the gap, so the word ends at the end of the tile that it replaces.
  const centres = tiles.map((tile) => (tile.x > dragged.x ? tile.x + tile.width - dragged.width / 2 : tile.x + dragged.width / 2));
  return centres.reduce((best, centre, position) => (Math.abs(centre - x) < Math.abs(entryAt(centres, best) - x) ? position : best), from);
}

/**
 * The target position for the word at `from` whose centre is at a point: the position of the tile under the point, once the word has reached
 * the centre of that tile.
 */
export function placeUnder(tiles: readonly Box[], from: number, x: number, y: number): number {
  const dragged = tiles[from];
  const over = tiles.findIndex((tile) => inside(tile, x, y));
  const tile = tiles[over];
  if (!dragged || !tile || over === from) return from;
  if (Math.abs(tile.y - dragged.y) > tile.height / 2) return over;
  const middle = tile.x + tile.width / 2;
  // In a right-to-left line, later positions are on the left.
  const isReached = tile.x > dragged.x ? x >= middle : x <= middle;
  return isReached ? over : over - Math.sign(over - from);
}
