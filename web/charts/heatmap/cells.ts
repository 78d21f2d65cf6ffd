// Marks on the cells of a heatmap: hatching of masked cells, and values that fit.
import { type ColorScale, chooseReadableInk, colorIndex } from '../color.ts';
import { formatToFit } from '../fitted-number.ts';
import type { Grid } from '../grid.ts';
import { formatNumber } from '../number.ts';
import type { Mark } from '../picture.ts';
import { maxTextWidth } from '../text-metrics.ts';
import { cellBox, type HeatmapLayout } from './layout.ts';

/** Marks masked cells with diagonals, if the cells are large enough. */
export function hatchMarks({ data, columns }: Grid, layout: HeatmapLayout): Mark[] {
  if (Math.min(layout.cellWidth, layout.cellHeight) < 5) return [];
  let d = '';
  for (let i = 0; i < data.length; i++) {
    if (Number.isFinite(data[i])) continue;
    const { x, y, width, height } = cellBox(layout, { row: Math.floor(i / columns), column: i % columns });
    d += `M${x},${y + height}l${width},${-height}`;
  }
  return d ? [{ kind: 'path', tone: 'hatch', d }] : [];
}

/** Marks for the values, if the cells are large enough for this number of digits. */
export function valueMarks(grid: Grid, layout: HeatmapLayout, scale: ColorScale, digits = 3): Mark[] {
  if (layout.cellWidth < 34 || layout.cellHeight < 18) return [];
  const availableWidth = layout.cellWidth - 6;
  // Values in scientific notation are rare and long, so they may have one digit less. All others have the same number of digits.
  const formatValue = (value: number): string => {
    const text = formatNumber(value, { digits });
    return text.includes('×') ? formatToFit(value, availableWidth, 2) : text;
  };
  const texts = Array.from(grid.data, (value) => (Number.isFinite(value) ? formatValue(value) : ''));
  if (maxTextWidth(texts) > availableWidth) return [];
  return texts.flatMap((text, i): Mark[] => {
    if (!text) return [];
    const box = cellBox(layout, { row: Math.floor(i / grid.columns), column: i % grid.columns });
    const colorOffset = 3 * colorIndex(scale, grid.data[i] as number);
    const color = chooseReadableInk(scale.table.subarray(colorOffset, colorOffset + 3));
    return [{ kind: 'text', tone: 'ink', color, anchor: 'middle', x: box.x + box.width / 2, y: box.y + box.height / 2, text }];
  });
}
