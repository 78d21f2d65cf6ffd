// What pictures over patches of an image share: a square of patches under a heading, which is an axis of the cursor.
import type { Box, Mark } from './picture.ts';
import { type Cursor, stepped } from './scene.ts';
import { shorten } from './text-metrics.ts';

export interface PatchSquare {
  readonly plot: Box;
  /** Patches along a side. */
  readonly side: number;
  /** CSS px of a patch. */
  readonly cell: number;
}

const TOP = 24;

/** A square as wide as there is room. */
export function patchSquare(width: number, side: number): PatchSquare {
  const room = Math.max(side, width - 2);
  const cell = room / side >= 4 ? Math.floor(room / side) : room / side;
  return { plot: { x: 1, y: TOP, width: cell * side, height: cell * side }, side, cell };
}

/** Whether an index is that of a patch. */
export const isPatch = ({ side }: PatchSquare, index: number | undefined): index is number =>
  index !== undefined && Number.isInteger(index) && index >= 0 && index < side * side;

export function patchBox({ plot, side, cell }: PatchSquare, index: number): Box {
  return { x: plot.x + (index % side) * cell, y: plot.y + Math.floor(index / side) * cell, width: cell, height: cell };
}

export const heading = ({ plot }: PatchSquare, text: string): Mark => ({
  kind: 'text',
  tone: 'ink',
  bold: true,
  size: 12,
  x: plot.x,
  y: 10,
  text: shorten(text, plot.width, 12, true),
});

/** An outline that is seen on any colour. */
export function patchOutline(square: PatchSquare, index: number, tone: 'ink' | 'cursor', key: string): Mark[] {
  const { x, y, width, height } = patchBox(square, index);
  const box = { x: x - 1, y: y - 1, width: width + 2, height: height + 2, outline: true } as const;
  return [
    { kind: 'rect', tone: 'halo', key: `${key}-halo`, ...box, stroke: 5 },
    { kind: 'rect', tone, key, ...box, stroke: tone === 'cursor' ? 2.5 : 1.5 },
  ];
}

export function patchAt({ plot, side, cell }: PatchSquare, x: number, y: number): number | undefined {
  const column = Math.floor((x - plot.x) / cell);
  const row = Math.floor((y - plot.y) / cell);
  return row >= 0 && column >= 0 && row < side && column < side ? row * side + column : undefined;
}

/** The cursor one patch further; `from` is where it starts. */
export function patchStep({ side }: PatchSquare, cursor: Cursor, axis: string, columns: number, rows: number): Cursor {
  const at = cursor[axis];
  if (at === undefined) return { ...cursor, [axis]: 0 };
  const index = Math.max(0, Math.min(side * side - 1, Math.trunc(at)));
  const row = stepped(Math.floor(index / side), rows, side);
  return { ...cursor, [axis]: row * side + stepped(index % side, columns, side) };
}
