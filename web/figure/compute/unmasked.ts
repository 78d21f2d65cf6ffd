// Marks masked pairs in attention weights.

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';

const weightsCache = new WeakMap<Tensor['data'], Tensor>();

/**
 * The weights, with NaN for masked pairs: those whose score is not finite. A weight of 0 does not identify them, because unmasked pairs
 * may also have weight 0. Cached for each result of the engine.
 */
export function withMaskedAsNaN(weights: Tensor, scores: Tensor): Tensor {
  const cachedWeights = weightsCache.get(weights.data);
  if (cachedWeights) return cachedWeights;
  const data = weights.data.slice();
  // A loop over local variables: `map` is ten times slower, and a long sentence has a million pairs.
  const { data: scoreData } = scores;
  for (let pair = 0; pair < data.length; pair++) {
    const score = entryAt(scoreData, pair);
    if (score - score !== 0) data[pair] = Number.NaN;
  }
  const markedWeights = { ...weights, data };
  weightsCache.set(weights.data, markedWeights);
  return markedWeights;
}
