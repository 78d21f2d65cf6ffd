// The cell and the outlines at the cursor of a heatmap.

import type { Box, Mark } from '../picture.ts';
import { type Cell, cellBox, type HeatmapCursor, type HeatmapLayout } from './layout.ts';

/** The cell at a cursor; undefined unless both its row and its column are inside the grid. */
export function cursorCell({ rows, columns }: HeatmapLayout, { row, column }: HeatmapCursor = {}): Cell | undefined {
  if (row === undefined || column === undefined) return undefined;
  return row >= 0 && row < rows && column >= 0 && column < columns ? { row, column } : undefined;
}

/** Outlines of the row, the column and the cell at the cursor. They are drawn outside the cells, so that even a thin row stays visible. */
export function cursorOutlines(layout: HeatmapLayout, cursor: HeatmapCursor = {}): Mark[] {
  const { plot, rows, columns } = layout;
  const { row, column } = cursor;
  const marks: Mark[] = [];
  const outline = (key: string, { x, y, width, height }: Box, stroke: number): void => {
    const w = Math.max(2, width) + stroke;
    const h = Math.max(2, height) + stroke;
    const box = { x: x + (width - w) / 2, y: y + (height - h) / 2, width: w, height: h };
    marks.push({ kind: 'rect', tone: 'halo', key: `${key}-halo`, ...box, outline: true, stroke: stroke + 2 });
    marks.push({ kind: 'rect', tone: 'cursor', key, ...box, outline: true, stroke });
  };
  if (row !== undefined && row >= 0 && row < rows) {
    outline('cursor-row', { ...plot, y: plot.y + row * layout.cellHeight, height: layout.cellHeight }, 1.5);
  }
  if (column !== undefined && column >= 0 && column < columns) {
    outline('cursor-column', { ...plot, x: plot.x + column * layout.cellWidth, width: layout.cellWidth }, 1.5);
  }
  const cell = cursorCell(layout, cursor);
  if (cell) outline('cursor-cell', cellBox(layout, cell), 2.5);
  return marks;
}
