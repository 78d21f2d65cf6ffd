import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';

const weightsCache = new WeakMap<Tensor['data'], Tensor>();

/**
 * Replaces the weights of masked query-key pairs with NaN. A pair is masked if its score is not finite; a weight of 0 is not sufficient
 * evidence, because small weights underflow to 0. Caches the result per weights array.
 */
export function withMaskedAsNaN(weights: Tensor, scores: Tensor): Tensor {
  const cachedWeights = weightsCache.get(weights.data);
  if (cachedWeights) return cachedWeights;
  const data = weights.data.slice();
  // Ten times as fast as `map`. A long sentence has a million pairs.
  const { data: scoreData } = scores;
  for (let pair = 0; pair < data.length; pair++) {
    const score = entryAt(scoreData, pair);
    if (score - score !== 0) data[pair] = Number.NaN;
  }
  const markedWeights = { ...weights, data };
  weightsCache.set(weights.data, markedWeights);
  return markedWeights;
}
