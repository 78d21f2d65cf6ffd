// The text around a heatmap: row and column labels, and axis titles.

import type { Box, Mark, TextMark } from '../picture.ts';
import { shorten, textWidth } from '../text-metrics.ts';
import { selectLabelIndices } from './labels.ts';
import { columnGap, type HeatmapCursor, type HeatmapLayout, type HeatmapShape, rowGap } from './layout.ts';

/** Returns the position and alignment of a column label; x is the centre of the column. A slanted label starts above its column, or ends below it. */
export function columnLabelPlacement(
  { isSlanted, below, labelsY: y }: HeatmapLayout,
  x: number,
): Pick<TextMark, 'x' | 'y' | 'anchor' | 'rotation'> {
  if (!isSlanted) return { x, y, anchor: 'middle' };
  return { x, y, ...(below ? { anchor: 'end' as const } : {}), rotation: { degrees: -45, x, y } };
}

/** Marks for as many row and column labels as fit. The label at the cursor is always included, in bold. */
export function labelMarks(shape: HeatmapShape, layout: HeatmapLayout, cursor: HeatmapCursor = {}): Mark[] {
  const { plot, cellWidth, cellHeight, rowTexts, columnTexts } = layout;
  const { row, column } = cursor;
  const marks: Mark[] = [];
  const labelX = (layout.aside ?? plot).x - 6;
  for (const index of selectLabelIndices({ count: layout.rows, pitch: cellHeight, minDistance: rowGap(shape), cursor: row })) {
    const isHighlighted = index === row;
    const y = plot.y + (index + 0.5) * cellHeight;
    marks.push({
      kind: 'text',
      tone: isHighlighted ? 'cursor' : 'muted',
      bold: isHighlighted,
      x: labelX,
      y,
      anchor: 'end',
      text: rowTexts[index] ?? '',
    });
  }
  for (const index of selectLabelIndices({ count: layout.columns, pitch: cellWidth, minDistance: columnGap(layout), cursor: column })) {
    const isHighlighted = index === column;
    const x = plot.x + (index + 0.5) * cellWidth;
    const text = columnTexts[index] ?? '';
    const tone = isHighlighted ? 'cursor' : 'muted';
    marks.push({ kind: 'text', tone, bold: isHighlighted, text, ...columnLabelPlacement(layout, x) });
  }
  if (shape.aside && layout.aside) marks.push(asideLabel(layout, layout.aside, shape.aside.label));
  return marks;
}

const asideLabel = (layout: HeatmapLayout, { x, width }: Box, text: string): Mark => ({
  kind: 'text',
  tone: 'ink',
  text,
  ...columnLabelPlacement(layout, x + width / 2),
});

/** The axis titles on one line: 'query ↓' over the row labels and 'key →' over the columns. */
export function titleMarks(spec: HeatmapShape, { plot, width, titlesHeight: line }: HeatmapLayout): Mark[] {
  if (line === 0) return [];
  const rowTitleText = spec.rowTitle ? `${spec.rowTitle} ↓` : '';
  const x = Math.max(plot.x, rowTitleText ? textWidth(rowTitleText) + 14 : 0);
  const columnTitleText = spec.columnTitle ? shorten(`${spec.columnTitle} →`, width - x) : '';
  const marks: Mark[] = [];
  if (rowTitleText) marks.push({ kind: 'text', tone: 'ink', x: 0, y: 7, text: rowTitleText });
  if (columnTitleText) marks.push({ kind: 'text', tone: 'ink', x, y: 7, text: columnTitleText });
  return marks;
}
