// What pictures over patches of an image share: a square of patches under a heading, which is an axis of the cursor.
import { isIndex } from '../../../charts/entry-at.ts';
import type { Box, Mark } from '../../../charts/picture.ts';
import { type Cursor, stepped } from '../../../charts/scene.ts';
import { shorten, textWidth } from '../../../charts/text-metrics.ts';

export interface PatchSquare {
  readonly plot: Box;
  /** Patches along a side. */
  readonly side: number;
  /** CSS px of a patch. */
  readonly cell: number;
}

const TOP = 24;
/** Over squares narrower than this, px, headings have two lines. */
const NARROW = 240;
const HEADING = 12;
const LINE = 16;

/** A square as wide as there is room. */
export function patchSquare(width: number, side: number): PatchSquare {
  const room = Math.max(side, width - 2);
  const cell = room / side >= 4 ? Math.floor(room / side) : room / side;
  return { plot: { x: 1, y: width < NARROW ? TOP + LINE : TOP, width: cell * side, height: cell * side }, side, cell };
}

/** Whether an index is that of a patch. */
export const isPatch = ({ side }: PatchSquare, index: number | undefined): index is number => isIndex(index, side * side);

export function patchBox({ plot, side, cell }: PatchSquare, index: number): Box {
  return { x: plot.x + (index % side) * cell, y: plot.y + Math.floor(index / side) * cell, width: cell, height: cell };
}

/** A heading above the square, in two lines where there is room for them; without a second one it is just above the square. */
export function heading({ plot }: PatchSquare, text: string): Mark[] {
  const fits = (part: string): boolean => textWidth(part, HEADING, true) <= plot.width;
  const words = text.split(' ');
  let first = words.length;
  while (plot.y > TOP && first > 1 && !fits(words.slice(0, first).join(' '))) first -= 1;
  const lines = [words.slice(0, first), words.slice(first)].filter(({ length }) => length > 0);
  return lines.map((line, index) => ({
    kind: 'text',
    tone: 'ink',
    bold: true,
    size: HEADING,
    x: plot.x,
    y: plot.y - 14 - LINE * (lines.length - 1 - index),
    text: shorten(line.join(' '), plot.width, HEADING, true),
  }));
}

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
