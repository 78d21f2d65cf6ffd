// A heatmap as a scene: rows and columns are axes of the cursor.

import { extent } from './grid.ts';
import { type HeatmapSpec, heatmap } from './heatmap.ts';
import { cursorOutlines } from './heatmap-cursor.ts';
import { cellAt, type HeatmapLayout } from './heatmap-layout.ts';
import type { Mark } from './picture.ts';
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
      return [...litLabels(layout, at), ...cursorOutlines(layout, at)];
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

/** The labels of the row and the column at the cursor, over those that are there. */
function litLabels(layout: HeatmapLayout, { row, column }: { row?: number | undefined; column?: number | undefined }): Mark[] {
  const { plot, rowTexts, columnTexts, cellWidth, cellHeight, slanted } = layout;
  const marks: Mark[] = [];
  const backed = (box: { x: number; y: number; width: number; height: number }, rotation?: { degrees: number; x: number; y: number }) =>
    marks.push({ kind: 'rect', tone: 'halo', ...box, ...(rotation ? { rotation } : {}) });
  const rowText = row === undefined ? undefined : rowTexts[row];
  if (row !== undefined && rowText !== undefined) {
    const y = plot.y + (row + 0.5) * cellHeight;
    const width = textWidth(rowText, LABEL, true);
    backed({ x: plot.x - 8 - width, y: y - 8, width: width + 4, height: 16 });
    marks.push({ kind: 'text', tone: 'cursor', bold: true, x: plot.x - 6, y, anchor: 'end', text: rowText });
  }
  const columnText = column === undefined ? undefined : columnTexts[column];
  if (column !== undefined && columnText !== undefined) {
    const x = plot.x + (column + 0.5) * cellWidth;
    const y = plot.y - 9;
    const width = textWidth(columnText, LABEL, true);
    const rotation = slanted ? { degrees: -45, x, y } : undefined;
    backed({ x: slanted ? x - 2 : x - width / 2 - 4, y: y - 7, width: width + (slanted ? 4 : 8), height: 14 }, rotation);
    marks.push({ kind: 'text', tone: 'cursor', bold: true, x, y, text: columnText, ...(rotation ? { rotation } : { anchor: 'middle' }) });
  }
  return marks;
}

/** The range of several grids, so that they can be compared: the same colours mean the same numbers. */
export function commonRange(grids: readonly { readonly data: ArrayLike<number> }[]): readonly [number, number] | undefined {
  const ranges = grids.map(({ data }) => extent(data)).filter(({ min }) => !Number.isNaN(min));
  if (ranges.length === 0) return undefined;
  return [Math.min(...ranges.map(({ min }) => min)), Math.max(...ranges.map(({ max }) => max))];
}
