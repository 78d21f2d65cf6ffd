import type { Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';

export interface TableSpec {
  readonly encoding: EncodingSpec;
  readonly length: number;
  readonly dim: number;
  readonly positionOffset: number;
}

/** Selects the fields that are passed to the engine. */
export const createTableRequest = ({ encoding, length, dim, positionOffset }: TableSpec): TableSpec => ({
  encoding,
  length,
  dim,
  positionOffset,
});

export const createPositionLabels = (count: number, offset: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index + offset));

export function selectColumns({ shape, data }: Tensor, columns: readonly number[]): Tensor {
  const [rows = 0, width = 0] = shape;
  const selectedData = new Float32Array(rows * columns.length);
  for (let row = 0; row < rows; row++) {
    columns.forEach((column, index) => {
      selectedData[row * columns.length + index] = data[row * width + column] as number;
    });
  }
  return { shape: [rows, columns.length], data: selectedData };
}

export const selectFirstRows = ({ shape: [, columns = 0], data }: Tensor, rowCount: number): Tensor => ({
  shape: [rowCount, columns],
  data: data.subarray(0, rowCount * columns),
});

export function selectRows({ shape: [, columns = 0], data }: Tensor, rows: readonly number[]): Tensor {
  const selectedRows = new Float32Array(rows.length * columns);
  rows.forEach((row, index) => {
    selectedRows.set(data.subarray(row * columns, (row + 1) * columns), index * columns);
  });
  return { shape: [rows.length, columns], data: selectedRows };
}
