// The words around a heatmap: the labels of rows and columns, and the titles of both.
import { columnGap, type HeatmapCursor, type HeatmapLayout, type HeatmapShape, rowGap } from './heatmap-layout.ts';
import { shownLabels } from './labels.ts';
import { shorten, textWidth } from './lettering.ts';
import type { Mark } from './picture.ts';

/** As many labels as fit, the one under the cursor always and in bold. */
export function labels(shape: HeatmapShape, layout: HeatmapLayout, cursor: HeatmapCursor = {}): Mark[] {
  const { plot, cellWidth, cellHeight, rowWords, columnWords, slanted } = layout;
  const { row, column } = cursor;
  const marks: Mark[] = [];
  for (const index of shownLabels({ count: layout.rows, pitch: cellHeight, gap: rowGap(shape), cursor: row })) {
    const lit = index === row;
    const y = plot.y + (index + 0.5) * cellHeight;
    marks.push({ kind: 'text', tone: lit ? 'cursor' : 'muted', bold: lit, x: plot.x - 6, y, anchor: 'end', text: rowWords[index] ?? '' });
  }
  for (const index of shownLabels({ count: layout.columns, pitch: cellWidth, gap: columnGap(layout), cursor: column })) {
    const lit = index === column;
    const x = plot.x + (index + 0.5) * cellWidth;
    const y = plot.y - 9;
    const text = columnWords[index] ?? '';
    const tone = lit ? 'cursor' : 'muted';
    if (slanted) marks.push({ kind: 'text', tone, bold: lit, x, y, text, turn: { degrees: -45, x, y } });
    else marks.push({ kind: 'text', tone, bold: lit, x, y, text, anchor: 'middle' });
  }
  return marks;
}

/** 'query ↓' over the row labels and 'key →' over the columns, on one line. */
export function titles(spec: HeatmapShape, { plot, width, titles: line }: HeatmapLayout): Mark[] {
  if (line === 0) return [];
  const down = spec.rowTitle ? `${spec.rowTitle} ↓` : '';
  const x = Math.max(plot.x, down ? textWidth(down) + 14 : 0);
  const across = spec.columnTitle ? shorten(`${spec.columnTitle} →`, width - x) : '';
  const marks: Mark[] = [];
  if (down) marks.push({ kind: 'text', tone: 'ink', x: 0, y: 7, text: down });
  if (across) marks.push({ kind: 'text', tone: 'ink', x, y: 7, text: across });
  return marks;
}
