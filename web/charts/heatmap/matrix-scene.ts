// A heatmap as an interactive scene. The cursor has one axis for the rows and one for the columns.

import { extent } from '../grid.ts';
import type { Mark, TextMark } from '../picture.ts';
import { type Cursor, type Scene, stepIndex } from '../scene.ts';
import { LABEL_SIZE, textWidth } from '../text-metrics.ts';
import { columnLabelPlacement } from './axis-labels.ts';
import { cursorOutlines } from './cursor.ts';
import { type HeatmapSpec, heatmap } from './heatmap.ts';
import { asideLayout, cellAt, type HeatmapLayout } from './layout.ts';

export interface MatrixSceneSpec extends Omit<HeatmapSpec, 'cursor'> {
  /** Names of the cursor axes for rows and columns, such as 'query' and 'key'. */
  readonly rowAxis: string;
  readonly columnAxis: string;
  /** Name of the cursor axis for the separate column, whose only index is 0. */
  readonly asideAxis?: string | undefined;
}

export interface MatrixScene extends Scene {
  readonly layout: HeatmapLayout;
}

export function matrixScene({ rowAxis, columnAxis, asideAxis = '', ...spec }: MatrixSceneSpec): MatrixScene {
  const picture = heatmap(spec);
  const { layout } = picture;
  const { rows, columns } = layout;
  const aside = asideLayout(layout);
  const isAside = (cursor: Cursor): boolean => aside !== undefined && cursor[asideAxis] === 0 && cursor[columnAxis] === undefined;
  const indicesOf = (cursor: Cursor) => ({ row: cursor[rowAxis], column: cursor[columnAxis] });
  return {
    picture,
    layout,
    overlay(cursor) {
      const selectedCell = indicesOf(cursor);
      const asideOutlines = aside ? cursorOutlines(aside, { row: selectedCell.row, column: isAside(cursor) ? 0 : undefined }) : [];
      return [
        ...cursorLabels(layout, selectedCell, picture.marks),
        ...cursorOutlines(layout, selectedCell),
        ...asideOutlines.map((mark) => ({ ...mark, key: `aside-${mark.key}` })),
      ];
    },
    hit(x, y) {
      const cell = cellAt(layout, x, y);
      if (cell) return { [rowAxis]: cell.row, [columnAxis]: cell.column };
      const asideCell = aside && cellAt(aside, x, y);
      return asideCell && { [rowAxis]: asideCell.row, [asideAxis]: 0 };
    },
    step(cursor, right, down) {
      const { row, column } = indicesOf(cursor);
      if (rows === 0 || columns === 0) return cursor;
      // The separate column is to the left of the first column.
      const { [asideAxis]: _, [columnAxis]: __, ...otherAxes } = cursor;
      if (aside && ((isAside(cursor) && right <= 0) || (column === 0 && right < 0)))
        return { ...otherAxes, [rowAxis]: stepIndex(row, down, rows), [asideAxis]: 0 };
      if (isAside(cursor)) return { ...otherAxes, [rowAxis]: stepIndex(row, down, rows), [columnAxis]: stepIndex(0, right - 1, columns) };
      return { ...cursor, [rowAxis]: stepIndex(row, down, rows), [columnAxis]: stepIndex(column, right, columns) };
    },
  };
}

/** Labels for the row and column at the cursor, on backgrounds that hide the labels they overlap. */
function cursorLabels(
  layout: HeatmapLayout,
  { row, column }: { row?: number | undefined; column?: number | undefined },
  pictureMarks: readonly Mark[],
): Mark[] {
  const { plot, aside, rowTexts, columnTexts, cellWidth, cellHeight, isSlanted } = layout;
  const marks: Mark[] = [];
  const texts = pictureMarks.filter((mark): mark is TextMark => mark.kind === 'text');
  const rowText = row === undefined ? undefined : rowTexts[row];
  if (row !== undefined && rowText !== undefined) {
    const labelMark = { x: (aside ?? plot).x - 6, y: plot.y + (row + 0.5) * cellHeight, anchor: 'end', text: rowText } as const;
    const coveredLabels = texts.filter(
      ({ x, y, anchor }) => anchor === 'end' && x === labelMark.x && Math.abs(y - labelMark.y) < LABEL_SIZE + 3,
    );
    marks.push(...[...coveredLabels, labelMark].map(labelBackground), { kind: 'text', tone: 'cursor', bold: true, ...labelMark });
  }
  const columnText = column === undefined ? undefined : columnTexts[column];
  if (column !== undefined && columnText !== undefined) {
    const x = plot.x + (column + 0.5) * cellWidth;
    const labelMark = { text: columnText, ...columnLabelPlacement(layout, x) };
    const minDistance = (text: string): number =>
      isSlanted ? (LABEL_SIZE + 1) * Math.SQRT2 : (textWidth(text, LABEL_SIZE, true) + textWidth(columnText, LABEL_SIZE, true)) / 2 + 2;
    const overlapping = texts.filter((mark) => mark.y === labelMark.y && mark.x >= plot.x && Math.abs(mark.x - x) < minDistance(mark.text));
    marks.push(...[...overlapping, labelMark].map(labelBackground), { kind: 'text', tone: 'cursor', bold: true, ...labelMark });
  }
  return marks;
}

function labelBackground({ x, y, text, anchor, rotation }: Pick<TextMark, 'x' | 'y' | 'text' | 'anchor' | 'rotation'>): Mark {
  const width = textWidth(text, LABEL_SIZE, true) + 4;
  const left = anchor === 'end' ? x - width + 2 : anchor === 'middle' ? x - width / 2 : x - 2;
  return { kind: 'rect', tone: 'halo', x: left, y: y - 7, width, height: 14, ...(rotation ? { rotation } : {}) };
}

/** Returns the range over all grids, so that equal colours mean equal values; undefined if no grid has values. */
export function commonRange(grids: readonly { readonly data: ArrayLike<number> }[]): readonly [number, number] | undefined {
  const ranges = grids.map(({ data }) => extent(data)).filter(({ min }) => !Number.isNaN(min));
  if (ranges.length === 0) return undefined;
  return [Math.min(...ranges.map(({ min }) => min)), Math.max(...ranges.map(({ max }) => max))];
}
