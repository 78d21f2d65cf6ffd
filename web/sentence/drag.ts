// Drags a word with a mouse, pen or finger.
import { entryAt } from '../charts/entry-at.ts';
import { isInside } from '../charts/inside.ts';
import type { Box } from '../charts/picture.ts';

export interface DragTarget {
  getPosition(word: number): number;
  /** The centre of a word's tile, in CSS px of the stage. */
  getCentre(word: number): { readonly x: number; readonly y: number };
  /** The target position of a word whose centre is at (x, y). */
  findTargetPosition(word: number, x: number, y: number): number;
  move(from: number, to: number): void;
  /** Draws the word with its centre at (x, y). */
  carry(word: number, x: number, y: number): void;
  drop(word: number): void;
}

/** A press during which the pointer moves less than this distance in px is a click. */
const CLICK_TOLERANCE_PX = 5;

export class WordDrag {
  private pressedWord: number | undefined;
  private grabOffset = { x: 0, y: 0 };
  private startPoint = { x: 0, y: 0 };
  private isMoving = false;

  constructor(private readonly target: DragTarget) {}

  get draggedWord(): number | undefined {
    return this.isMoving ? this.pressedWord : undefined;
  }

  press(word: number, x: number, y: number): void {
    const centre = this.target.getCentre(word);
    this.pressedWord = word;
    this.grabOffset = { x: x - centre.x, y: y - centre.y };
    this.startPoint = { x, y };
    this.isMoving = false;
  }

  /** Lifts the word before the pointer has moved, for example after a long press. */
  lift(): void {
    this.isMoving = this.pressedWord !== undefined;
  }

  /**
   * Moves the lifted word with the pointer.
   * @returns whether a word is lifted
   */
  follow(x: number, y: number): boolean {
    if (this.pressedWord === undefined) return false;
    if (!this.isMoving && Math.hypot(x - this.startPoint.x, y - this.startPoint.y) < CLICK_TOLERANCE_PX) return false;
    this.isMoving = true;
    const from = this.target.getPosition(this.pressedWord);
    const to = this.target.findTargetPosition(this.pressedWord, x - this.grabOffset.x, y - this.grabOffset.y);
    if (to !== from) this.target.move(from, to);
    this.target.carry(this.pressedWord, x - this.grabOffset.x, y - this.grabOffset.y);
    return true;
  }

  /**
   * Ends the drag.
   * @returns whether the word was dragged, rather than clicked
   */
  release(): boolean {
    const { pressedWord: word, isMoving } = this;
    this.pressedWord = undefined;
    this.isMoving = false;
    if (word !== undefined && isMoving) this.target.drop(word);
    return isMoving;
  }
}

/**
 * Returns the target position in a line for the word at `from` when its centre is dragged to `x`. This is the nearest position, so that a
 * neighbour moves as soon as the word is halfway there, and is never covered.
 */
export function findPositionInLine(tiles: readonly Box[], from: number, x: number): number {
  const draggedTile = tiles[from];
  if (!draggedTile) return from;
  // The tiles in between close the gap, so the word is aligned with the far edge of the tile that it replaces.
  const centres = tiles.map((tile) =>
    tile.x > draggedTile.x ? tile.x + tile.width - draggedTile.width / 2 : tile.x + draggedTile.width / 2,
  );
  return centres.reduce(
    (nearest, centre, position) => (Math.abs(centre - x) < Math.abs(entryAt(centres, nearest) - x) ? position : nearest),
    from,
  );
}

/**
 * Returns the target position for the word at `from` when its centre is dragged to (x, y). This is the position of the tile under the point
 * if the tile is on another line or the word has reached its centre, otherwise the adjacent position on the side of `from`. Without a tile
 * under the point, it is `from`.
 */
export function findPositionUnder(tiles: readonly Box[], from: number, x: number, y: number): number {
  const draggedTile = tiles[from];
  const tileIndex = tiles.findIndex((tile) => isInside(tile, x, y));
  const tile = tiles[tileIndex];
  if (!draggedTile || !tile || tileIndex === from) return from;
  if (Math.abs(tile.y - draggedTile.y) > tile.height / 2) return tileIndex;
  const middleX = tile.x + tile.width / 2;
  // In a right-to-left line, later positions are on the left.
  const isReached = tile.x > draggedTile.x ? x >= middleX : x <= middleX;
  return isReached ? tileIndex : tileIndex - Math.sign(tileIndex - from);
}
