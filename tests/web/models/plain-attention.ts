// Attention of T5 in double, by the formulas of the paper (Raffel et al. 2019, section 2.1) and of transformers'
// _relative_position_bucket, without the package: the reference for the decoder, for which no other exists.

import type { Params, Tensor, TensorView } from '../../../web/engine/types/api.ts';
import type { Attention, Heads, SelfAttention } from './family.ts';
import type { Matrix } from './matrix.ts';

/** The bucket of a key that is `offset` tokens to the right of the query. */
function bucket(offset: number, count: number, maxDistance: number, bidirectional: boolean): number {
  const side = bidirectional ? count / 2 : count;
  const start = bidirectional && offset > 0 ? side : 0;
  const distance = bidirectional ? Math.abs(offset) : Math.max(0, -offset);
  const exact = Math.floor(side / 2);
  if (distance < exact) return start + distance;
  const logBucket = exact + Math.floor((Math.log(distance / exact) / Math.log(maxDistance / exact)) * (side - exact));
  return start + Math.min(logBucket, side - 1);
}

type Score = (head: number, i: number, j: number) => number;

/** An element of a view [heads, tokens, width]. */
const valueAt = (
  { strides: [headStride = 0, tokenStride = 0, channelStride = 0], offset, data }: TensorView,
  head: number,
  token: number,
  channel: number,
) => data[offset + head * headStride + token * tokenStride + channel * channelStride] as number;

// softmax(q.k + bias) v, without a factor on q.k: [queries, heads * headDim].
function attend({ q, k, v }: Heads, bias: Score): Matrix {
  const [count = 0, queries = 0, width = 0] = q.shape;
  const [, keys = 0] = k.shape;
  const data = new Float64Array(count * queries * width);
  for (let head = 0; head < count; head += 1) {
    for (let i = 0; i < queries; i += 1) {
      const scores = Array.from({ length: keys }, (_, j) => {
        let sum = bias(head, i, j);
        for (let c = 0; c < width; c += 1) sum += valueAt(q, head, i, c) * valueAt(k, head, j, c);
        return sum;
      });
      const largest = Math.max(...scores);
      const weights = scores.map((score) => Math.exp(score - largest));
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      for (let c = 0; c < width; c += 1) {
        const sum = weights.reduce((mean, weight, j) => mean + weight * valueAt(v, head, j, c), 0);
        data[(i * count + head) * width + c] = sum / total;
      }
    }
  }
  return { rows: queries, columns: count * width, data };
}

export const plainAttention: Attention = {
  async self(_layer, { encoding, causal, ...qkv }: SelfAttention) {
    const { table, num_buckets, max_distance, bidirectional } = encoding as Params;
    const [, count = 0] = (table as Tensor).shape;
    return attend(qkv, (head, i, j) => {
      if (causal && j > i) return Number.NEGATIVE_INFINITY;
      const row = bucket(j - i, num_buckets as number, max_distance as number, bidirectional as boolean);
      return (table as Tensor).data[row * count + head] as number;
    });
  },
  cross: async (qkv) => attend(qkv, () => 0),
};
