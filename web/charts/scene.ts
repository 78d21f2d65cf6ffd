// A scene is a picture with hit testing, keyboard navigation and cursor marks. Charts, and compositions of charts, return scenes.
import type { Frame, Mark, Picture } from './picture.ts';

/**
 * The selected index on each axis, such as `query` and `key` (tokens or positions), `channel`, `pair`, `distance` and `head`. Linked figures share
 * one cursor and ignore axes that they do not have. Indices count from 0; a distance may be negative.
 */
export interface Cursor {
  readonly [axis: string]: number;
}

/** A point that the user can drag vertically. */
export interface DragHandle {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  /** Converts a y coordinate in the picture to a value. */
  valueAt(y: number): number;
  /** Change of the value per press of + or −. */
  readonly step: number;
  readonly range: readonly [number, number];
  /** The range of values that keys can set; default: unlimited. */
  readonly limits?: readonly [number, number];
}

export interface Scene {
  /** The picture without the cursor. It is computed once for each combination of data, size and theme. */
  readonly picture: Picture;
  /** Returns the marks that show the cursor, to be drawn over the picture. Ignores axes that the scene does not have. */
  overlay(cursor: Cursor): readonly Mark[];
  /** Returns the cursor for a point in the picture (CSS px), or undefined if there is nothing to select. */
  hit(x: number, y: number): Cursor | undefined;
  /** Returns the cursor moved `columns` to the right and `rows` down, or the first cell if nothing was selected. */
  step(cursor: Cursor, columns: number, rows: number): Cursor;
  /** Returns the draggable point at the cursor. Only scenes with editable values have this method. */
  dragHandle?(cursor: Cursor): DragHandle | undefined;
}

export const sceneWithoutCursor = (picture: Picture): Scene => ({
  picture,
  overlay: () => [],
  hit: () => undefined,
  step: (cursor) => cursor,
});

/** Adds `by` to an index and clamps the result to the range from 0 to count - 1. Returns 0 if `index` is undefined. */
export const stepIndex = (index: number | undefined, by: number, count: number): number =>
  index === undefined ? 0 : Math.max(0, Math.min(count - 1, index + by));

export type { Frame };
