// Adapts a scene whose cells contain several positions each: the cursor has a position, and the scene highlights the cell that contains it.
import type { Cursor, Scene } from './scene.ts';

export interface CellAxis {
  /** The position at the start of the first cell. */
  readonly first: number;
  /** Number of positions per cell. */
  readonly cell: number;
}

/** Converts the positions of the cursor to cells, on the axes in `axes`. */
export function offsetScene(scene: Scene, axes: { readonly [axis: string]: CellAxis }): Scene {
  const convertCursor = (cursor: Cursor, convertIndex: (at: number, axis: CellAxis) => number): Cursor =>
    Object.fromEntries(Object.entries(cursor).map(([name, at]) => [name, axes[name] ? convertIndex(at, axes[name]) : at]));
  const toCells = (cursor: Cursor): Cursor => convertCursor(cursor, (at, { first, cell }) => Math.floor((at - first) / cell));
  const toPositions = (cursor: Cursor): Cursor => convertCursor(cursor, (at, { first, cell }) => first + at * cell);
  return {
    picture: scene.picture,
    overlay: (cursor) => scene.overlay(toCells(cursor)),
    hit(x, y) {
      const cursor = scene.hit(x, y);
      return cursor && toPositions(cursor);
    },
    step: (cursor, columns, rows) => toPositions(scene.step(toCells(cursor), columns, rows)),
  };
}
