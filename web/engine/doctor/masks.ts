import { createDiagnosis, type Diagnosis, type FirstDifference, withoutExplanation } from './report.ts';

/** The attention mask that the implementation should have. */
export interface MaskClaim {
  /** Whether later keys are hidden. */
  readonly causal?: boolean | undefined;
  /** Number of keys in the window, including the key at the query's position. */
  readonly window?: number | undefined;
  /** The segment id of each key. */
  readonly segments?: readonly number[] | undefined;
}

type Shape = readonly [heads: number, queries: number, keys: number];

/**
 * Returns whether each head and query can see each key, as a flat [heads, queries, keys] array. A query's position is its index plus `shift`. By
 * default, the last query is at the position of the last key.
 */
export function computeVisibility(
  [heads, queries, keys]: Shape,
  { causal, window, segments }: MaskClaim,
  shift = keys - queries,
): boolean[] {
  return Array.from({ length: heads * queries * keys }, (_, at) => {
    const [query, key] = [(Math.floor(at / keys) % queries) + shift, at % keys];
    if (causal && key > query) return false;
    if (window !== undefined && (query - key >= window || (!causal && key - query >= window))) return false;
    return segments === undefined || segments[query] === segments[key];
  });
}

/** Returns a diagnosis if the visible keys differ from the claimed mask, or undefined if they match. */
export function diagnoseMask(isVisible: readonly boolean[], shape: Shape, claim: MaskClaim): Diagnosis | undefined {
  const [, queries, keys] = shape;
  const claimed = computeVisibility(shape, claim);
  const differingIndex = isVisible.findIndex((visible, index) => visible !== claimed[index]);
  if (differingIndex < 0) return undefined;
  const difference: FirstDifference = { query: Math.floor(differingIndex / keys) % queries, key: differingIndex % keys };
  const matchesMask = (mask: MaskClaim, shift?: number) =>
    computeVisibility(shape, mask, shift).every((visible, index) => visible === isVisible[index]);
  const { window, causal, segments } = claim;
  if (window !== undefined) {
    for (const foundWindow of [window + 1, window - 1])
      if (foundWindow > 0 && matchesMask({ ...claim, window: foundWindow }))
        return createDiagnosis('window_off_by_one', { found: foundWindow, claimed: window }, { first: difference });
    if (matchesMask({ ...claim, window: undefined })) return createDiagnosis('window_missing', { claimed: window }, { first: difference });
  }
  if (queries !== keys && matchesMask(claim, 0)) return createDiagnosis('mask_aligned_top_left', {}, { first: difference });
  if (segments !== undefined && matchesMask({ ...claim, segments: undefined }))
    return createDiagnosis('packed_texts_mixed', { segment: segments[difference.query ?? 0] ?? 0 }, { first: difference });
  if (causal) {
    for (const by of [1, -1])
      if (matchesMask(claim, keys - queries + by)) return createDiagnosis('causal_shifted', { by }, { first: difference });
    if (matchesMask({ ...claim, causal: false })) return createDiagnosis('causal_missing', {}, { first: difference });
  }
  if (window !== undefined)
    for (let found = 1; found <= keys; found++)
      if (matchesMask({ ...claim, window: found }))
        return createDiagnosis('wrong_window', { found, claimed: window }, { first: difference });
  return withoutExplanation('not_explained', 'frequencies_unknown', { first: difference });
}

/** Returns whether `difference` varies by at most `tolerance` within each row. */
export function isConstantPerRow(at: readonly number[], keys: number, difference: (index: number) => number, tolerance: number): boolean {
  const rows = new Map<number, [number, number]>();
  for (const index of at) {
    const [row, value] = [Math.floor(index / keys), difference(index)];
    const [low, high] = rows.get(row) ?? [value, value];
    rows.set(row, [Math.min(low, value), Math.max(high, value)]);
  }
  return [...rows.values()].every(([low, high]) => high - low <= tolerance);
}
