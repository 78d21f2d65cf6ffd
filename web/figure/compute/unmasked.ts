// Weights without masked pairs.

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';

const known = new WeakMap<Tensor['data'], Tensor>();

/**
 * The weights, with NaN for masked pairs, whose weight 0 would be indistinguishable from others: their scores are not finite. Computed once
 * per result of the engine.
 */
export function unmasked(weights: Tensor, scores: Tensor): Tensor {
  const before = known.get(weights.data);
  if (before) return before;
  const data = weights.data.slice();
  // A loop over local variables: `map` is ten times slower, and a long sentence has a million pairs.
  const { data: provided } = scores;
  for (let pair = 0; pair < data.length; pair++) {
    const score = entryAt(provided, pair);
    if (score - score !== 0) data[pair] = Number.NaN;
  }
  const found = { ...weights, data };
  known.set(weights.data, found);
  return found;
}
