// A picture with hit testing: the item at a point, the target of an arrow key, and the marks of the cursor. All views have this one signature, so
// that a figure of several views is a view again.
import type { Frame, Mark, Picture } from './picture.ts';

/**
 * The position of the cursor, by the names of the axes: `query` and `key` for tokens or positions, `channel`, `pair`, `distance`, `head`.
 * Figures that are linked share it, each reading the names that it knows. Indices, from 0; a distance may be negative.
 */
export interface Cursor {
  readonly [axis: string]: number;
}

/** A point of a picture that the reader may drag up and down. */
export interface Grip {
  /** CSS px. */
  readonly x: number;
  readonly y: number;
  readonly value: number;
  /** The value at a height of the picture. */
  valueAt(y: number): number;
  /** By how much a key changes the value. */
  readonly step: number;
  /** The range of values that the picture shows. */
  readonly range: readonly [number, number];
  /** Values that there are: keys go no further; default: all. */
  readonly limits?: readonly [number, number];
}

export interface Scene {
  /** Without any cursor: made once for the same numbers, size and theme. */
  readonly picture: Picture;
  /** Marks over the picture that show the cursor; none for axes that this view does not have. */
  overlay(cursor: Cursor): readonly Mark[];
  /** The cursor at a point of the picture (CSS px); undefined if there is nothing. */
  hit(x: number, y: number): Cursor | undefined;
  /** The cursor after an arrow key: `columns` to the right, `rows` down. Starts at the first cell. */
  step(cursor: Cursor, columns: number, rows: number): Cursor;
  /** The value that can be dragged at the cursor, in pictures of editable numbers. */
  grip?(cursor: Cursor): Grip | undefined;
}

/** A picture in which nothing can be pointed at. */
export const still = (picture: Picture): Scene => ({ picture, overlay: () => [], hit: () => undefined, step: (cursor) => cursor });

/** The index `by` steps from another one, within 0 to count - 1; the first one when there was none. */
export const stepped = (index: number | undefined, by: number, count: number): number =>
  index === undefined ? 0 : Math.max(0, Math.min(count - 1, index + by));

export type { Frame };
