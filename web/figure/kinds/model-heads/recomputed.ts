// Recomputes four measures of one head from its attention weights.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { HeadMeasures } from '../../../engine/types/model-changes.ts';

export const RECOMPUTED_MEASURES = ['previous', 'first', 'distance', 'entropy'] as const;
export type RecomputedMeasures = { readonly [Name in (typeof RECOMPUTED_MEASURES)[number]]: number };

/** Extracts the measures of one head. `index` is layer * heads + head. */
export const getRecomputedMeasures = (measures: HeadMeasures, index: number): RecomputedMeasures => {
  const getMeasure = (name: (typeof RECOMPUTED_MEASURES)[number]): number => entryAt(measures[name].data, index);
  return { previous: getMeasure('previous'), first: getMeasure('first'), distance: getMeasure('distance'), entropy: getMeasure('entropy') };
};

/**
 * Computes a head's measures from its attention weights [tokens, tokens]. Each measure is a mean over queries. Query 0
 * is always skipped for `previous` and `first`, and in causal models for all measures, because it attends only to
 * itself.
 */
export function computeMeasures({ shape: [tokens = 0], data }: Tensor, causal: boolean): RecomputedMeasures {
  const firstRow = causal ? 1 : 0;
  let [previous, first, distance, entropy] = [0, 0, 0, 0];
  for (let query = 0; query < tokens; query += 1)
    for (let key = 0; key < tokens; key += 1) {
      const weight = entryAt(data, query * tokens + key);
      if (key === query - 1) previous += weight / (tokens - 1);
      if (query > 0 && key === 0) first += weight / (tokens - 1);
      if (query < firstRow) continue;
      const meanWeight = weight / (tokens - firstRow);
      distance += meanWeight * Math.abs(query - key);
      if (weight > 0) entropy -= meanWeight * Math.log(weight);
    }
  return { previous, first, distance, entropy };
}

/** Returns the largest value of |recomputed - core| / (1 + |core|) over the recomputed measures. */
export function computeMaxDifference(coreMeasures: RecomputedMeasures, weights: Tensor, causal: boolean): number {
  const recomputedMeasures = computeMeasures(weights, causal);
  return Math.max(
    ...RECOMPUTED_MEASURES.map((name) => Math.abs(recomputedMeasures[name] - coreMeasures[name]) / (1 + Math.abs(coreMeasures[name]))),
  );
}
