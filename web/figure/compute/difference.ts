// Computes the difference of two matrices as dot products, because the core has no subtraction. Column c of b − a contains the dot products
// of the rows of [b a] with [e −e], where e is the unit vector of column c. Only two terms are nonzero, so the result is rounded once, as
// in a subtraction.

import { similarity } from '../../engine/analysis.ts';
import { PhasorError } from '../../engine/errors.ts';
import type { Tensor } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';

const STRINGS = {
  otherShape: (a: readonly number[], b: readonly number[]) =>
    `other: the matrix has shape ${b.join(' × ')}, but the matrix of the first encoding has shape ${a.join(' × ')}; expected equal shapes`,
} as const;

/** Returns b − a, for finite matrices of the same shape. */
export async function subtractMatrices(a: Tensor, b: Tensor, engine: Engine): Promise<Tensor> {
  const [rows = 0, columns = 0] = a.shape;
  if (b.shape[0] !== rows || b.shape[1] !== columns) throw new PhasorError('invalid_argument', STRINGS.otherShape(a.shape, b.shape));
  const width = 2 * columns;
  const tableData = new Float32Array((rows + columns) * width);
  for (let row = 0; row < rows; row++) {
    tableData.set(b.data.subarray(row * columns, (row + 1) * columns), row * width);
    tableData.set(a.data.subarray(row * columns, (row + 1) * columns), row * width + columns);
  }
  for (let column = 0; column < columns; column++) {
    tableData[(rows + column) * width + column] = 1;
    tableData[(rows + column) * width + columns + column] = -1;
  }
  const products = await similarity(engine, { table: { shape: [rows + columns, width], data: tableData }, metric: 'dot' });
  const differenceData = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const rowStart = row * (rows + columns) + rows;
    differenceData.set(products.data.subarray(rowStart, rowStart + columns), row * columns);
  }
  return { shape: [rows, columns], data: differenceData };
}
