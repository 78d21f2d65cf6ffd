// A scene is a picture with hit testing, keyboard navigation and marks for the cursor. All charts return scenes, and so do compositions of scenes.
import type { Frame, Mark, Picture } from './picture.ts';

/**
 * The cursor: one index per axis, such as `query` and `key` (tokens or positions), `channel`, `pair`, `distance` and `head`. Linked figures share the
 * cursor, and each reads the axes that it has. Indices count from 0; a distance may be negative.
 */
export interface Cursor {
  readonly [axis: string]: number;
}

/** A point of a picture that the reader may drag vertically. */
export interface DragHandle {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  /** Returns the value at a y coordinate of the picture. */
  valueAt(y: number): number;
  /** How much one press of an arrow key changes the value. */
  readonly step: number;
  readonly range: readonly [number, number];
  /** The range of values that keys can set; default: unlimited. */
  readonly limits?: readonly [number, number];
}

export interface Scene {
  /** The picture without a cursor, computed once per combination of numbers, size and theme. */
  readonly picture: Picture;
  /** Marks over the picture that show the cursor. There are none for axes that the scene does not have. */
  overlay(cursor: Cursor): readonly Mark[];
  /** The cursor at a point of the picture (CSS px); undefined if nothing is there. */
  hit(x: number, y: number): Cursor | undefined;
  /** The cursor after it moves `columns` to the right and `rows` down. Without a previous cursor, this is the first cell. */
  step(cursor: Cursor, columns: number, rows: number): Cursor;
  /** The draggable point at the cursor, in pictures with editable numbers. */
  dragHandle?(cursor: Cursor): DragHandle | undefined;
}

export const sceneWithoutCursor = (picture: Picture): Scene => ({
  picture,
  overlay: () => [],
  hit: () => undefined,
  step: (cursor) => cursor,
});

/** Moves an index by `by`, and clamps it to the range from 0 to count - 1. Returns 0 without a previous index. */
export const stepIndex = (index: number | undefined, by: number, count: number): number =>
  index === undefined ? 0 : Math.max(0, Math.min(count - 1, index + by));

export type { Frame };
