// A heatmap of a matrix: coloured cells, labels, a cursor and a colour bar.

import { type ColorScale, colorScaleOf, paint, type ScaleKind } from '../color.ts';
import { countWithNoun } from '../english.ts';
import { checkGrid, extent, type Grid } from '../grid.ts';
import { capitalize, formatNumber, formatRange } from '../number.ts';
import type { Box, Mark, Picture, Theme } from '../picture.ts';
import { VIEW_STRINGS } from '../strings.ts';
import { LABEL_SIZE, shorten, textWidth } from '../text-metrics.ts';
import { labelMarks, titleMarks } from './axis-labels.ts';
import { hatchMarks, valueMarks } from './cells.ts';
import { colorBar } from './color-bar.ts';
import { cursorCell, cursorOutlines } from './cursor.ts';
import { asideLayout, type Cell, cellAt, type HeatmapCursor, type HeatmapLayout, type HeatmapShape, heatmapLayout } from './layout.ts';

const strings = {
  same: (value: string) => `every value is ${value}`,
  size: (rows: number, columns: number) => `${countWithNoun(rows, 'row')} by ${countWithNoun(columns, 'column')}.`,
  range: (quantity: string, range: string) => `${quantity} ${range}.`,
  extremes: (largest: string, smallest: string) => `Maximum at ${largest}; minimum at ${smallest}.`,
  masked: (cells: number, word: string) => `${countWithNoun(cells, 'cell')} ${word}.`,
  place: (row: string, column: string) => `row ${row}, column ${column}`,
  aside: (label: string, range: string) => `Separate column “${label}”, to the left of the others: ${range}.`,
} as const;

export { type Cell, cellAt, type HeatmapCursor, type HeatmapLayout, heatmapLayout };

/** The minimum width in px of a colour bar at which the numbers at its ends do not touch. */
const MIN_BAR_WIDTH = 96;

export interface HeatmapSpec extends HeatmapShape {
  readonly title: string;
  readonly theme: Theme;
  readonly scale: ScaleKind;
  /** The displayed quantity, such as 'weight', 'score' or 'angle'. */
  readonly quantity?: string | undefined;
  readonly unit?: string | undefined;
  readonly cursor?: HeatmapCursor | undefined;
  /** A fixed range of the colour scale; default: the range of the data. */
  readonly range?: readonly [lo: number, hi: number] | undefined;
  /** The label for non-finite cells; default: 'masked'. */
  readonly masked?: string | undefined;
}

export interface HeatmapPicture extends Picture {
  readonly layout: HeatmapLayout;
  readonly scale: ColorScale;
}

/** Draws a grid of any size as a heatmap. Scaling the raster down averages cells that are smaller than a pixel. */
export function heatmap(spec: HeatmapSpec): HeatmapPicture {
  checkGrid(spec.grid);
  const layout = heatmapLayout(spec);
  const { min, max, argmax, argmin, maskedCount } = extent(spec.grid.data);
  const asideHeatmap = createAside(spec, layout);
  const asideExtent = asideHeatmap ? extent(asideHeatmap.grid.data) : { min, max };
  const dataScale = colorScaleOf(spec.scale, [min, max, asideExtent.min, asideExtent.max], spec.theme);
  const scale = spec.range ? { ...dataScale, domain: spec.range } : dataScale;
  const { plot, rows, columns } = layout;
  const value = cursorValue(spec, layout);
  const maskedText = spec.masked ?? VIEW_STRINGS.masked;
  const bar = colorBar({
    scale,
    theme: spec.theme,
    x: plot.x,
    y: (layout.below ? layout.below.y + layout.below.height : plot.y + plot.height) + 16,
    width: barWidth(spec, layout),
    caption: captionText(spec, value, layout),
    isHighlighted: value !== undefined,
    value,
    maskedLabel: maskedCount > 0 ? maskedText : undefined,
  });
  const describeCell = (index: number): string => position(spec, { row: Math.floor(index / columns), column: index % columns });
  const description = [
    strings.size(rows, columns),
    strings.range(capitalize(spec.quantity ?? VIEW_STRINGS.values), formatRange(min, max, spec.unit)),
    min < max ? strings.extremes(describeCell(argmax), describeCell(argmin)) : '',
    maskedCount > 0 ? strings.masked(maskedCount, maskedText) : '',
    spec.aside ? strings.aside(spec.aside.label, formatRange(asideExtent.min, asideExtent.max, spec.unit)) : '',
  ];
  return {
    width: layout.width,
    height: layout.height,
    title: spec.title,
    description: description.filter(Boolean).join(' '),
    rasters: [
      ...(rows > 0 && columns > 0 ? [{ key: 'cells', ...plot, columns, rows, rgba: paint(spec.grid, scale, spec.theme) }] : []),
      ...(rows > 0 && asideHeatmap
        ? [{ key: 'aside', ...asideHeatmap.layout.plot, columns: 1, rows, rgba: paint(asideHeatmap.grid, scale, spec.theme) }]
        : []),
      ...bar.rasters,
    ],
    marks: [
      ...hatchMarks(spec.grid, layout),
      frame(plot),
      ...valueMarks(spec.grid, layout, scale),
      ...(asideHeatmap ? [frame(asideHeatmap.layout.plot), ...asideNumbers(asideHeatmap, scale)] : []),
      ...labelMarks(spec, layout, spec.cursor),
      ...titleMarks(spec, layout),
      ...equalValueMarks(min, max, layout),
      ...cursorOutlines(layout, spec.cursor),
      ...bar.marks,
    ],
    layout,
    scale,
  };
}

interface AsideHeatmap {
  readonly grid: Grid;
  readonly layout: HeatmapLayout;
}

/** Marks for the values in the separate column, with two digits if three do not fit. */
function asideNumbers({ grid, layout }: AsideHeatmap, scale: ColorScale): Mark[] {
  const marks = valueMarks(grid, layout, scale);
  return marks.length > 0 ? marks : valueMarks(grid, layout, scale, 2);
}

function createAside({ aside, grid: { rows } }: HeatmapSpec, layout: HeatmapLayout): AsideHeatmap | undefined {
  const columnLayout = asideLayout(layout);
  if (!aside || !columnLayout) return undefined;
  const grid = { rows, columns: 1, data: aside.data };
  checkGrid(grid);
  return { grid, layout: columnLayout };
}

const position = ({ rowLabels, columnLabels }: HeatmapSpec, { row, column }: Cell): string =>
  strings.place(rowLabels?.[row] ?? String(row), columnLabels?.[column] ?? String(column));

/** Returns the width of the colour bar. It leaves space for the quantity, unless the bar's own numbers would then touch. */
function barWidth({ quantity = '' }: HeatmapSpec, { width, plot }: HeatmapLayout): number {
  const availableWidth = width - plot.x;
  const preferredWidth = Math.max(40, Math.min(220, availableWidth * 0.58));
  return Math.min(preferredWidth, Math.max(MIN_BAR_WIDTH, availableWidth - 18 - Math.ceil(textWidth(quantity))));
}

/** Labels a matrix whose values are all equal, because a single colour does not show the value. */
function equalValueMarks(min: number, max: number, { plot, rows, columns }: HeatmapLayout): Mark[] {
  if (min !== max || rows * columns < 2) return [];
  const text = strings.same(formatNumber(min));
  const [x, y] = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  const halfWidth = textWidth(text, LABEL_SIZE, true) / 2 + 6;
  return [
    { kind: 'rect', tone: 'halo', x: x - halfWidth, y: y - 11, width: 2 * halfWidth, height: 22 },
    { kind: 'text', tone: 'ink', bold: true, x, y, text, anchor: 'middle' },
  ];
}

const frame = (plot: Box): Mark => ({ kind: 'rect', tone: 'hairline', ...plot, outline: true });

function cursorValue({ grid, cursor }: HeatmapSpec, layout: HeatmapLayout): number | undefined {
  const cell = cursorCell(layout, cursor);
  return cell && grid.data[cell.row * grid.columns + cell.column];
}

/** The quantity with its unit, or with the value at the cursor. */
function captionText(spec: HeatmapSpec, value: number | undefined, layout: HeatmapLayout): string {
  const number = value === undefined ? '' : Number.isFinite(value) ? formatNumber(value) : (spec.masked ?? VIEW_STRINGS.masked);
  const captionParts =
    value === undefined ? [spec.quantity, spec.unit && `(${spec.unit})`] : [spec.quantity, number, Number.isFinite(value) && spec.unit];
  const room = layout.width - layout.plot.x - barWidth(spec, layout) - 12;
  return shorten(captionParts.filter(Boolean).join(' '), room, LABEL_SIZE, value !== undefined);
}
