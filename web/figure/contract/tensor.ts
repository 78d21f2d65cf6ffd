import type { Grid } from '../../charts/grid.ts';
import type { Tensor } from '../../engine/index.ts';

/**
 * Converts a tensor (rows, columns) to a grid. If the tensor has more axes, the grid is the matrix at `index` of the flattened leading
 * axes.
 */
export function toGrid({ shape, data }: Tensor, index = 0): Grid {
  const rows = shape.at(-2) ?? 1;
  const columns = shape.at(-1) ?? 1;
  return { rows, columns, data: data.subarray(index * rows * columns, (index + 1) * rows * columns) };
}

/** Returns the matrix at `index` along the first of three axes. */
export function selectMatrix({ shape, data }: Tensor, index: number): Tensor {
  const [, rows = 1, columns = 1] = shape;
  return { shape: [rows, columns], data: data.subarray(index * rows * columns, (index + 1) * rows * columns) };
}
