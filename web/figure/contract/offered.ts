// The encodings that a figure supports, by their properties in the core.
import type { EncodingInfo, Injection } from '../../engine/index.ts';

/** Conditions on an encoding, all of which must hold; an absent condition always holds. */
export interface EncodingFilter {
  /** Encodings that enter attention at one of these points. */
  readonly injections?: readonly Injection[] | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Only encodings that rotate channel pairs of queries and keys. */
  readonly rotates?: true | undefined;
}

/**
 * A property that a figure requires of an encoding: a table of position vectors, pairs of sine and cosine in such a table, rotation of queries and
 * keys, or a bias.
 */
export type EncodingRequirement = 'table' | 'waves' | 'rotation' | 'bias';

export const FILTERS: { readonly [Each in EncodingRequirement]: EncodingFilter } = {
  table: { injections: ['input'] },
  // The registry does not state whether a table has pairs of sine and cosine; a test compares this list with the core.
  waves: { ids: ['sinusoidal', 'sin_cos', 'multi_frequency', 'nerf', 'fourier'] },
  rotation: { injections: ['query_key'], rotates: true },
  bias: { injections: ['score', 'score_content', 'key_value'] },
};

/**
 * Whether an encoding satisfies the conditions. An encoding that the core does not know is matched only by its id, and the core rejects it
 * later. Encodings with token tensors have neither a bias nor a rotation that depends on positions alone.
 */
export const matchesFilter = (
  { injections, ids, rotates }: EncodingFilter,
  info: Pick<EncodingInfo, 'id'> & Partial<EncodingInfo>,
): boolean =>
  (ids?.includes(info.id) ?? true) &&
  (!info.injection || ((injections?.includes(info.injection) ?? true) && (!rotates || info.rotates === true))) &&
  !(injections && info.tokens?.length);
