// Draws the values of an encoding as coloured stripes, one per position.
import { type ColorScale, colorScaleOf, paint, type ScaleKind } from '../../../charts/color.ts';
import { countWithNoun, joinSentences, wholeNumber } from '../../../charts/english.ts';
import { checkGrid, extent, type Grid } from '../../../charts/grid.ts';
import { capitalize, formatRange } from '../../../charts/number.ts';
import type { Box, Mark, Picture, Raster, Theme } from '../../../charts/picture.ts';
import { VIEW_STRINGS } from '../../../charts/strings.ts';

const describeStripes = (rows: number, columns: number, values: string, maskedCount: number) =>
  joinSentences([
    `${countWithNoun(rows, 'word')}, ${countWithNoun(columns, 'value')} each.`,
    `${values}.`,
    maskedCount > 0 ? `${wholeNumber.format(maskedCount)} masked.` : undefined,
  ]);

export interface StripesSpec {
  /** One row per word: table values, angles or biases. */
  readonly grid: Grid;
  readonly scale: ScaleKind;
  readonly theme: Theme;
  readonly title: string;
  /** The quantity that the colours show, such as 'value', 'angle' or 'bias'. */
  readonly quantity?: string | undefined;
  readonly unit?: string | undefined;
  /** The box of each stripe in CSS px, one per row of `grid`. */
  readonly rowBoxes: readonly Box[];
  readonly width: number;
  readonly height: number;
  /** Keys that identify the words in animations. Default: their indices. */
  readonly keys?: readonly string[] | undefined;
  readonly cursor?: { readonly row?: number | undefined; readonly column?: number | undefined } | undefined;
}

export function drawStripes(spec: StripesSpec): Picture & { readonly scale: ColorScale } {
  checkGrid(spec.grid);
  const { grid, theme, rowBoxes } = spec;
  const { rows, columns, data } = grid;
  const scale = colorScaleOf(spec.scale, data, theme);
  const rasters: Raster[] = [];
  const marks: Mark[] = [];
  const rgba = paint(grid, scale, theme);
  for (let row = 0; row < rows; row++) {
    const rowBox = rowBoxes[row];
    if (!rowBox || columns === 0) continue;
    const key = spec.keys?.[row] ?? String(row);
    const { x, y, width, height } = rowBox;
    rasters.push({
      key: `stripe-${key}`,
      x,
      y,
      width,
      height,
      columns,
      rows: 1,
      rgba: rgba.subarray(4 * row * columns, 4 * (row + 1) * columns),
    });
    const isHighlighted = spec.cursor?.row === row;
    marks.push({
      kind: 'rect',
      tone: isHighlighted ? 'cursor' : 'hairline',
      key: `edge-${key}`,
      x,
      y,
      width,
      height,
      outline: true,
      stroke: isHighlighted ? 2 : 1,
    });
    const column = spec.cursor?.column;
    if (column !== undefined && column >= 0 && column < columns) marks.push(...stripePointerMarks(rowBox, columns, column, key));
  }
  const { min, max, maskedCount } = extent(data);
  const values = `${capitalize(spec.quantity ?? VIEW_STRINGS.values)} ${formatRange(min, max, spec.unit)}`;
  const description = describeStripes(rows, columns, values, maskedCount);
  return { width: Math.max(1, spec.width), height: Math.max(1, spec.height), title: spec.title, description, rasters, marks, scale };
}

export function stripePointerMarks(stripeBox: Box, columns: number, column: number, key: string): Mark[] {
  const pitch = stripeBox.width / columns;
  const width = Math.max(2, pitch) + 2;
  const box = { x: stripeBox.x + (column + 0.5) * pitch - width / 2, y: stripeBox.y - 2, width, height: stripeBox.height + 4 };
  return [
    { kind: 'rect', tone: 'halo', key: `pointer-halo-${key}`, ...box, outline: true, stroke: 3.5 },
    { kind: 'rect', tone: 'cursor', key: `pointer-${key}`, ...box, outline: true, stroke: 1.5 },
  ];
}

/** Returns the row and column of `grid` at a point in CSS px. Undefined between the stripes. */
export function findStripe(
  { grid, rowBoxes }: Pick<StripesSpec, 'grid' | 'rowBoxes'>,
  x: number,
  y: number,
): { row: number; column: number } | undefined {
  for (let row = 0; row < grid.rows; row++) {
    const rowBox = rowBoxes[row];
    if (!rowBox || y < rowBox.y || y >= rowBox.y + rowBox.height) continue;
    const column = Math.floor(((x - rowBox.x) / rowBox.width) * grid.columns);
    if (column >= 0 && column < grid.columns) return { row, column };
  }
  return undefined;
}
