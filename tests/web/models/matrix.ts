// The parts of a model besides position and attention: plain loops in double, so that a deviation from the reference is an error of the package.

import type { Tensor } from '../../../web/engine/types/api.ts';

/** Row-major, one row per token. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float64Array;
}

export function matrix(rows: number, columns: number, entry: (row: number, column: number) => number): Matrix {
  return { rows, columns, data: Float64Array.from({ length: rows * columns }, (_, i) => entry(Math.floor(i / columns), i % columns)) };
}

export const fromTensor = ({ shape: [rows = 0, columns = 0], data }: Tensor): Matrix => ({ rows, columns, data: Float64Array.from(data) });
export const toTensor = ({ rows, columns, data }: Matrix): Tensor => ({ shape: [rows, columns], data: Float32Array.from(data) });

export const map = ({ rows, columns, data }: Matrix, transform: (x: number) => number): Matrix => ({
  rows,
  columns,
  data: data.map(transform),
});

function zip(a: Matrix, b: Matrix, combine: (x: number, y: number) => number): Matrix {
  if (a.rows !== b.rows || a.columns !== b.columns) throw new Error(`${a.rows} x ${a.columns} does not fit ${b.rows} x ${b.columns}`);
  return { ...a, data: a.data.map((x, i) => combine(x, b.data[i] as number)) };
}
export const add = (first: Matrix, ...others: readonly Matrix[]): Matrix =>
  others.reduce((sum, term) => zip(sum, term, (x, y) => x + y), first);
export const multiply = (a: Matrix, b: Matrix): Matrix => zip(a, b, (x, y) => x * y);

/** The rows of a table at the ids of tokens. */
export const rowsOf = ({ shape: [count = 0, width = 0], data }: Tensor, ids: readonly number[]): Matrix =>
  matrix(ids.length, width, (row, column) => {
    const id = ids[row] as number;
    if (id >= count) throw new Error(`token ${id} is not in a vocabulary of ${count}`);
    return data[id * width + column] as number;
  });

/** x weight^T + bias, weight [out, in]. */
export function linear(x: Matrix, { shape: [out = 0, width = 0], data }: Tensor, bias?: Tensor): Matrix {
  return product(x, data, { width, out, rowStride: width, columnStride: 1 }, bias);
}

/** x weight + bias, weight [in, out], as GPT-2 stores it. */
export function convolution(x: Matrix, { shape: [width = 0, out = 0], data }: Tensor, bias: Tensor): Matrix {
  return product(x, data, { width, out, rowStride: 1, columnStride: out }, bias);
}

type Layout = Readonly<Record<'width' | 'out' | 'rowStride' | 'columnStride', number>>;

// Entry (o, i) of the weight is at o rowStride + i columnStride.
function product(x: Matrix, weight: Float32Array, { width, out, rowStride, columnStride }: Layout, bias?: Tensor): Matrix {
  if (x.columns !== width) throw new Error(`${x.columns} channels meet a weight for ${width}`);
  const data = new Float64Array(x.rows * out);
  for (let row = 0; row < x.rows; row += 1) {
    for (let o = 0; o < out; o += 1) {
      let sum = bias ? (bias.data[o] as number) : 0;
      for (let i = 0; i < width; i += 1) sum += (x.data[row * width + i] as number) * (weight[o * rowStride + i * columnStride] as number);
      data[row * out + o] = sum;
    }
  }
  return { rows: x.rows, columns: out, data };
}

export interface Norm {
  readonly weight: Tensor;
  readonly bias: Tensor;
}

export function layerNorm(x: Matrix, { weight, bias }: Norm, epsilon: number): Matrix {
  const [means, squares] = [moments(x, (value) => value), moments(x, (value) => value * value)];
  return matrix(x.rows, x.columns, (row, column) => {
    const mean = means[row] as number;
    const deviation = Math.sqrt((squares[row] as number) - mean * mean + epsilon);
    const value = ((x.data[row * x.columns + column] as number) - mean) / deviation;
    return value * (weight.data[column] as number) + (bias.data[column] as number);
  });
}

/** RMS norm, without a mean and a bias (Llama, T5). */
export function rmsNorm(x: Matrix, weight: Tensor, epsilon: number): Matrix {
  const squares = moments(x, (value) => value * value);
  return matrix(x.rows, x.columns, (row, column) => {
    const value = (x.data[row * x.columns + column] as number) / Math.sqrt((squares[row] as number) + epsilon);
    return value * (weight.data[column] as number);
  });
}

// The mean of `transform(value)` in each row.
const moments = ({ rows, columns, data }: Matrix, transform: (value: number) => number): number[] =>
  Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (const value of data.subarray(row * columns, (row + 1) * columns)) sum += transform(value);
    return sum / columns;
  });
