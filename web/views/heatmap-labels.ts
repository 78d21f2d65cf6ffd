// The text around a heatmap: row and column labels, and axis titles.
import { columnGap, type HeatmapCursor, type HeatmapLayout, type HeatmapShape, rowGap } from './heatmap-layout.ts';
import { shownLabels } from './labels.ts';
import type { Box, Mark } from './picture.ts';
import { shorten, textWidth } from './text-metrics.ts';

/** As many labels as fit, always including the one at the cursor, in bold. */
export function labels(shape: HeatmapShape, layout: HeatmapLayout, cursor: HeatmapCursor = {}): Mark[] {
  const { plot, cellWidth, cellHeight, rowTexts, columnTexts, slanted } = layout;
  const { row, column } = cursor;
  const marks: Mark[] = [];
  const edge = (layout.aside ?? plot).x - 6;
  for (const index of shownLabels({ count: layout.rows, pitch: cellHeight, gap: rowGap(shape), cursor: row })) {
    const lit = index === row;
    const y = plot.y + (index + 0.5) * cellHeight;
    marks.push({ kind: 'text', tone: lit ? 'cursor' : 'muted', bold: lit, x: edge, y, anchor: 'end', text: rowTexts[index] ?? '' });
  }
  for (const index of shownLabels({ count: layout.columns, pitch: cellWidth, gap: columnGap(layout), cursor: column })) {
    const lit = index === column;
    const x = plot.x + (index + 0.5) * cellWidth;
    const y = plot.y - 9;
    const text = columnTexts[index] ?? '';
    const tone = lit ? 'cursor' : 'muted';
    if (slanted) marks.push({ kind: 'text', tone, bold: lit, x, y, text, rotation: { degrees: -45, x, y } });
    else marks.push({ kind: 'text', tone, bold: lit, x, y, text, anchor: 'middle' });
  }
  if (shape.aside && layout.aside) marks.push(asideLabel(layout, layout.aside, shape.aside.label));
  return marks;
}

function asideLabel({ slanted }: HeatmapLayout, box: Box, text: string): Mark {
  const [x, y] = [box.x + box.width / 2, box.y - 9];
  const turned = slanted ? { rotation: { degrees: -45, x, y } } : { anchor: 'middle' as const };
  return { kind: 'text', tone: 'ink', x, y, text, ...turned };
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
