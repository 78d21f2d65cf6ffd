// Selects the encodings that a figure supports, by their properties in the core.
import type { EncodingInfo, Injection } from '../../engine/index.ts';

/** Conditions that an encoding must satisfy. Absent conditions are ignored. */
export interface EncodingFilter {
  /** The encoding must have one of these injection points. */
  readonly injections?: readonly Injection[] | undefined;
  readonly ids?: readonly string[] | undefined;
  /** If set, only encodings that rotate channel pairs of queries and keys are selected. */
  readonly rotates?: true | undefined;
}

/**
 * The encoding property that a figure requires: a table of position vectors, sine and cosine pairs in such a table, a rotation of queries
 * and keys, or a bias.
 */
export type EncodingRequirement = 'table' | 'waves' | 'rotation' | 'bias';

export const FILTERS: { readonly [Each in EncodingRequirement]: EncodingFilter } = {
  table: { injections: ['input'] },
  // The core does not report whether a table consists of sine and cosine pairs. A test compares this list with the core.
  waves: { ids: ['sinusoidal', 'sin_cos', 'multi_frequency', 'nerf', 'fourier'] },
  rotation: { injections: ['query_key'], rotates: true },
  bias: { injections: ['score', 'score_content', 'key_value'] },
};

/**
 * Whether an encoding satisfies the conditions. If the core does not know the encoding, only its id is compared, and the core rejects it
 * later. An encoding with token tensors never matches a filter by injection point, because its bias or rotation does not depend on
 * positions alone.
 */
export const matchesFilter = (
  { injections, ids, rotates }: EncodingFilter,
  info: Pick<EncodingInfo, 'id'> & Partial<EncodingInfo>,
): boolean =>
  (ids?.includes(info.id) ?? true) &&
  (!info.injection || ((injections?.includes(info.injection) ?? true) && (!rotates || info.rotates === true))) &&
  !(injections && info.tokens?.length);
