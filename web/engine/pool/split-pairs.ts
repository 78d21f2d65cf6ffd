// attnMask and attnBias of an attention that is split by queries: arrays [.., queries, keys] whose extents of 1 are broadcast.

import { handleName } from '../handles.ts';
import { isWithin, rowMajor } from '../request/strided.ts';
import type { AttentionRequest, MaskTensor, TensorView } from '../types/api.ts';

type Pairs = MaskTensor | AttentionRequest['attnBias'];
type Strided = MaskTensor & Pick<TensorView, 'strides' | 'offset'>;

/** Whether an array is absent, or can be split: the array of a handle is in the engine, and the core rejects invalid ones. */
export function canSplitPairs(pairs: Pairs, queries: number): boolean {
  if (pairs === undefined || pairs === null) return true;
  const { shape, data } = pairs as Strided;
  if (handleName(pairs) !== undefined || !Array.isArray(shape) || shape.length < 2 || shape.length > 3) return false;
  const isList = Array.isArray(data) || ArrayBuffer.isView(data);
  return isList && [1, queries].includes(shape.at(-2) as number) && isWithin(pairs as Parameters<typeof isWithin>[0]);
}

/** A view of the rows of the queries [first, last), or the array itself if one row is broadcast. */
export function partOfPairs<P extends Pairs>(pairs: P, first: number, last: number): P {
  if (pairs === undefined || pairs === null) return pairs;
  const { shape, strides = rowMajor(shape), offset = 0, data } = pairs as Strided;
  if (shape.at(-2) === 1) return pairs;
  const rows = [...shape.slice(0, -2), last - first, shape.at(-1) as number];
  return { shape: rows, strides, offset: offset + first * (strides.at(-2) as number), data } as unknown as P;
}
