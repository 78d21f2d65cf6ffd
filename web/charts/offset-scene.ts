// Adapts a scene in which each cell covers several positions. The cursor uses positions, and the scene highlights the cell that contains the
// position.
import type { Cursor, Scene } from './scene.ts';

export interface PositionCells {
  readonly firstPosition: number;
  readonly positionsPerCell: number;
}

export function offsetScene(scene: Scene, axes: { readonly [axis: string]: PositionCells }): Scene {
  const convertCursor = (cursor: Cursor, convertIndex: (at: number, axis: PositionCells) => number): Cursor =>
    Object.fromEntries(Object.entries(cursor).map(([name, at]) => [name, axes[name] ? convertIndex(at, axes[name]) : at]));
  const toCellCursor = (cursor: Cursor): Cursor =>
    convertCursor(cursor, (at, { firstPosition, positionsPerCell }) => Math.floor((at - firstPosition) / positionsPerCell));
  const toPositions = (cursor: Cursor): Cursor =>
    convertCursor(cursor, (at, { firstPosition, positionsPerCell }) => firstPosition + at * positionsPerCell);
  return {
    picture: scene.picture,
    overlay: (cursor) => scene.overlay(toCellCursor(cursor)),
    hit(x, y) {
      const cursor = scene.hit(x, y);
      return cursor && toPositions(cursor);
    },
    step: (cursor, columns, rows) => toPositions(scene.step(toCellCursor(cursor), columns, rows)),
  };
}
