// Recomputes four measures of one head from its attention weights.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { HeadMeasures } from '../../../engine/types/model-changes.ts';

export const RECOMPUTED_MEASURES = ['previous', 'first', 'distance', 'entropy'] as const;
export type ChosenMeasures = { readonly [Name in (typeof RECOMPUTED_MEASURES)[number]]: number };

/** Returns the core's measures of one head. `index` counts the heads over all layers. */
export const chosenMeasures = (measures: HeadMeasures, index: number): ChosenMeasures => {
  const measureOf = (name: (typeof RECOMPUTED_MEASURES)[number]): number => entryAt(measures[name].data, index);
  return { previous: measureOf('previous'), first: measureOf('first'), distance: measureOf('distance'), entropy: measureOf('entropy') };
};

/**
 * Computes the measures of a head from its weights [tokens, tokens]. They are means over the rows. `previous` and
 * `first` skip row 0. In causal models all measures skip row 0, because the first token attends only to itself.
 */
export function computeMeasures({ shape: [tokens = 0], data }: Tensor, causal: boolean): ChosenMeasures {
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

/**
 * Returns the largest difference between a measure from the core and its recomputed value, divided by 1 + the measure.
 */
export function recomputedDifference(coreMeasures: ChosenMeasures, weights: Tensor, causal: boolean): number {
  const recomputedMeasures = computeMeasures(weights, causal);
  return Math.max(
    ...RECOMPUTED_MEASURES.map((name) => Math.abs(recomputedMeasures[name] - coreMeasures[name]) / (1 + Math.abs(coreMeasures[name]))),
  );
}
