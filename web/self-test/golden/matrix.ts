// Operations of a layer outside attention, such as projections and layer norm. They are computed in float64, so that errors come only from
// attention and positions.

import type { Tensor } from '../../engine/types/api.ts';
import type { GoldenTensor } from './case.ts';

export type Matrix = number[][];

export function toMatrix({ shape, data }: Pick<GoldenTensor, 'shape' | 'data'>): Matrix {
  const [rows = 0, columns = 0] = shape;
  if (shape.length !== 2) throw new Error(`expected a matrix, got shape [${shape}]`);
  return Array.from({ length: rows }, (_, r) => data.slice(r * columns, (r + 1) * columns) as number[]);
}

/** Computes a linear layer: x wᵀ + bias. */
export const linear = (x: Matrix, w: Matrix, bias?: readonly number[]): Matrix =>
  x.map((row) => w.map((weights, c) => weights.reduce((sum, weight, i) => sum + weight * (row[i] ?? Number.NaN), bias?.[c] ?? 0)));

/** Splits a matrix [tokens, heads * headDim] into a float32 tensor [heads, tokens, headDim]. */
export function splitHeads(x: Matrix, heads: number): Tensor {
  const width = (x[0]?.length ?? 0) / heads;
  if (!Number.isInteger(width)) throw new Error(`heads: ${heads} does not divide ${x[0]?.length} (columns)`);
  const data = Array.from({ length: heads }, (_, h) => x.flatMap((row) => row.slice(h * width, (h + 1) * width))).flat();
  return { shape: [heads, x.length, width], data: Float32Array.from(data) };
}

export function joinHeads({ shape, data }: Tensor): Matrix {
  const [heads = 0, tokens = 0, width = 0] = shape;
  return Array.from({ length: tokens }, (_, p) =>
    Array.from({ length: heads }, (_, h) => [...data.subarray((h * tokens + p) * width, (h * tokens + p + 1) * width)]).flat(),
  );
}

/** Computes a layer norm without weight and bias. */
export const layerNorm = (x: Matrix, eps: number): Matrix =>
  x.map((row) => {
    const rowMean = row.reduce((sum, value) => sum + value / row.length, 0);
    const variance = row.reduce((sum, value) => sum + (value - rowMean) ** 2 / row.length, 0);
    return row.map((value) => (value - rowMean) / Math.sqrt(variance + eps));
  });

export const toNumbers = (x: Matrix) => ({ shape: [x.length, x[0]?.length ?? 0], data: x.flat() });
