// A scene whose cells each contain several positions. The cursor has a position, and the scene highlights the cell that contains it.
import type { Cursor, Scene } from './scene.ts';

export interface CellAxis {
  /** The position at the start of the first cell. */
  readonly first: number;
  /** Number of positions per cell. */
  readonly cell: number;
}

/** Converts cursor positions to cells along some axes of a scene. */
export function offsetScene(scene: Scene, axes: { readonly [axis: string]: CellAxis }): Scene {
  const convert = (cursor: Cursor, index: (at: number, axis: CellAxis) => number): Cursor =>
    Object.fromEntries(Object.entries(cursor).map(([name, at]) => [name, axes[name] ? index(at, axes[name]) : at]));
  const cells = (cursor: Cursor): Cursor => convert(cursor, (at, { first, cell }) => Math.floor((at - first) / cell));
  const positions = (cursor: Cursor): Cursor => convert(cursor, (at, { first, cell }) => first + at * cell);
  return {
    picture: scene.picture,
    overlay: (cursor) => scene.overlay(cells(cursor)),
    hit(x, y) {
      const cursor = scene.hit(x, y);
      return cursor && positions(cursor);
    },
    step: (cursor, columns, rows) => positions(scene.step(cells(cursor), columns, rows)),
  };
}
