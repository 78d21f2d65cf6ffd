// The mean weight at each distance, from the weights of one head.
import type { Tensor } from '../../../engine/index.ts';

/**
 * From weights [tokens, tokens]: the mean of a[i,i-d] over the rows that contain it, for d = 0 to tokens - 1, or from 1 - tokens on if
 * later tokens are visible. The first token of a causal model attends to itself only, and is omitted as in the core.
 */
export function profileFrom({ shape: [tokens = 0], data }: Tensor, causal: boolean): Float32Array {
  const [first, from] = causal ? [0, 1] : [1 - tokens, 0];
  return Float32Array.from({ length: tokens - first }, (_, at) => {
    const distance = at + first;
    const [begin, end] = [Math.max(from, distance), Math.min(tokens, tokens + distance)];
    let sum = 0;
    for (let query = begin; query < end; query += 1) sum += data[query * tokens + query - distance] as number;
    return sum / (end - begin);
  });
}

/** The largest absolute difference of two profiles. */
export const furthest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a.length === b.length ? Array.from(a).reduce((most, value, at) => Math.max(most, Math.abs(value - (b[at] as number))), 0) : Number.NaN;
