import { argumentError } from '../errors.ts';
import type { DumpTensor } from './dump.ts';

/** Computes q.k in float64: [heads, queries, keys], from q [heads, queries, dim] and k [kvHeads, keys, dim]. */
export function computeDotProducts(q: DumpTensor, k: DumpTensor): DumpTensor {
  const [heads = 0, queries = 0, dim = 0] = q.shape;
  const [kvHeads = 0, keys = 0, keyDim = 0] = k.shape;
  if (q.shape.length !== 3 || k.shape.length !== 3 || dim !== keyDim || heads % kvHeads !== 0)
    throw argumentError('k', `has shape ${k.shape.join(' x ')}; expected [kvHeads, keys, dim] for q with shape ${q.shape.join(' x ')}`);
  const data = new Float64Array(heads * queries * keys);
  let index = 0;
  for (let head = 0; head < heads; head++)
    for (let query = 0; query < queries; query++)
      for (let key = 0; key < keys; key++, index++) {
        const [from, to] = [(head * queries + query) * dim, (Math.floor((head * kvHeads) / heads) * keys + key) * dim];
        let sum = 0;
        for (let channel = 0; channel < dim; channel++) sum += (q.data[from + channel] as number) * (k.data[to + channel] as number);
        data[index] = sum;
      }
  return { shape: [heads, queries, keys], data };
}
