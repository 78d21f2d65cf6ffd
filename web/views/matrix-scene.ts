// A heatmap as a scene: rows and columns are axes of the cursor.

import { extent } from './grid.ts';
import { type HeatmapSpec, heatmap } from './heatmap.ts';
import { cursorOutlines } from './heatmap-cursor.ts';
import { cellAt, type HeatmapLayout } from './heatmap-layout.ts';
import type { Mark, TextMark } from './picture.ts';
import { type Cursor, type Scene, stepped } from './scene.ts';
import { LABEL, textWidth } from './text-metrics.ts';

export interface MatrixSceneSpec extends Omit<HeatmapSpec, 'cursor'> {
  /** The axes of the cursor that rows and columns are: 'query', 'key', 'channel'. */
  readonly rowAxis: string;
  readonly columnAxis: string;
}

export function matrixScene({ rowAxis, columnAxis, ...spec }: MatrixSceneSpec): Scene {
  const picture = heatmap(spec);
  const { layout } = picture;
  const { rows, columns } = layout;
  const places = (cursor: Cursor) => ({ row: cursor[rowAxis], column: cursor[columnAxis] });
  return {
    picture,
    overlay(cursor) {
      const at = places(cursor);
      return [...litLabels(layout, at, picture.marks), ...cursorOutlines(layout, at)];
    },
    hit(x, y) {
      const cell = cellAt(layout, x, y);
      return cell && { [rowAxis]: cell.row, [columnAxis]: cell.column };
    },
    step(cursor, right, down) {
      const { row, column } = places(cursor);
      if (rows === 0 || columns === 0) return cursor;
      return { ...cursor, [rowAxis]: stepped(row, down, rows), [columnAxis]: stepped(column, right, columns) };
    },
  };
}

/** The labels of the row and the column at the cursor, over those that are there; neighbours in the way are covered whole. */
function litLabels(
  layout: HeatmapLayout,
  { row, column }: { row?: number | undefined; column?: number | undefined },
  drawn: readonly Mark[],
): Mark[] {
  const { plot, rowTexts, columnTexts, cellWidth, cellHeight, slanted } = layout;
  const marks: Mark[] = [];
  const texts = drawn.filter((mark): mark is TextMark => mark.kind === 'text');
  const rowText = row === undefined ? undefined : rowTexts[row];
  if (row !== undefined && rowText !== undefined) {
    const lit = { x: plot.x - 6, y: plot.y + (row + 0.5) * cellHeight, anchor: 'end', text: rowText } as const;
    const near = texts.filter(({ x, y, anchor }) => anchor === 'end' && x === lit.x && Math.abs(y - lit.y) < LABEL + 3);
    marks.push(...[...near, lit].map(ground), { kind: 'text', tone: 'cursor', bold: true, ...lit });
  }
  const columnText = column === undefined ? undefined : columnTexts[column];
  if (column !== undefined && columnText !== undefined) {
    const [x, y] = [plot.x + (column + 0.5) * cellWidth, plot.y - 9];
    const lit = { x, y, text: columnText, ...(slanted ? { rotation: { degrees: -45, x, y } } : { anchor: 'middle' as const }) };
    const room = (text: string): number =>
      slanted ? (LABEL + 1) * Math.SQRT2 : (textWidth(text, LABEL, true) + textWidth(columnText, LABEL, true)) / 2 + 2;
    const near = texts.filter(
      (mark) => mark.y === y && mark.anchor !== 'end' && mark.x >= plot.x && Math.abs(mark.x - x) < room(mark.text),
    );
    marks.push(...[...near, lit].map(ground), { kind: 'text', tone: 'cursor', bold: true, ...lit });
  }
  return marks;
}

/** The ground of a label. */
function ground({ x, y, text, anchor, rotation }: Pick<TextMark, 'x' | 'y' | 'text' | 'anchor' | 'rotation'>): Mark {
  const width = textWidth(text, LABEL, true) + 4;
  const left = anchor === 'end' ? x - width + 2 : anchor === 'middle' ? x - width / 2 : x - 2;
  return { kind: 'rect', tone: 'halo', x: left, y: y - 7, width, height: 14, ...(rotation ? { rotation } : {}) };
}

/** The range of several grids, so that they can be compared: the same colours mean the same numbers. */
export function commonRange(grids: readonly { readonly data: ArrayLike<number> }[]): readonly [number, number] | undefined {
  const ranges = grids.map(({ data }) => extent(data)).filter(({ min }) => !Number.isNaN(min));
  if (ranges.length === 0) return undefined;
  return [Math.min(...ranges.map(({ min }) => min)), Math.max(...ranges.map(({ max }) => max))];
}
