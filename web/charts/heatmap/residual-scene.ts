// Heatmaps of a diagnosis's residuals by token and channel pair, or by query and key. Residuals of the claimed and of the found encoding are side by
// side, on one logarithmic scale.

import { arrangeInGrid, fitColumns } from '../compose.ts';
import type { Theme } from '../picture.ts';
import type { Scene } from '../scene.ts';
import { TITLE_HEIGHT, withHeading } from '../titled.ts';
import { matrixScene } from './matrix-scene.ts';

/** Relative residuals |dump - prediction| / |dump|: one row per token or query, one column per channel pair or key. */
export interface ResidualGrid {
  readonly heading: string;
  /** Number of rotary pairs or keys. If `columns` is one more, the last column combines all other channels. */
  readonly pairs: number;
  readonly columns: number;
  readonly values: Float64Array;
}

export interface ResidualSceneSpec {
  readonly grids: readonly ResidualGrid[];
  readonly positions: readonly number[];
  readonly title: string;
  readonly strings: { readonly rows: string; readonly columns: string; readonly rest: string; readonly quantity: string };
  readonly width: number;
  readonly maxHeight?: number | undefined;
  readonly theme: Theme;
}

/** Exponents of ten at the ends of the colour scale: from the precision of float32 to a complete mismatch. */
const EXPONENT_RANGE = [-7, 0] as const;
const MIN_WIDTH = 250;

/** Base-10 logarithms, clamped to the colour scale's range. */
export const logarithms = (values: ArrayLike<number>): Float32Array =>
  Float32Array.from(values, (value) => Math.min(EXPONENT_RANGE[1], Math.max(EXPONENT_RANGE[0], Math.log10(value))));

/** Arranges the grids in one scene with the cursor axes `token` (rows) and `pair` (columns). */
export function residualScene({ grids, positions, title, strings, width, maxHeight, theme }: ResidualSceneSpec): Scene {
  const { columns: across, each } = fitColumns(Math.max(grids.length, 2), width, MIN_WIDTH);
  const panels = grids.map(({ heading, pairs, columns, values }) =>
    withHeading(
      matrixScene({
        width: each,
        maxHeight: maxHeight === undefined ? undefined : maxHeight - TITLE_HEIGHT,
        theme,
        grid: { rows: positions.length, columns, data: logarithms(values) },
        scale: 'sequential',
        range: EXPONENT_RANGE,
        title,
        quantity: strings.quantity,
        rowAxis: 'token',
        columnAxis: 'pair',
        rowLabels: positions.map(String),
        columnLabels: Array.from({ length: columns }, (_, column) => (column < pairs ? String(column) : strings.rest)),
        rowTitle: strings.rows,
        columnTitle: strings.columns,
      }),
      heading,
      each,
    ),
  );
  return arrangeInGrid(panels, { title }, { columns: across, each });
}
