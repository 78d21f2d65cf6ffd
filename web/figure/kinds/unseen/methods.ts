// RoPE variants for texts `factor` times as long as in training. Each method scales frequencies or remaps distances,
// with the parameters from its paper.
import type { EncodingConfig, Params } from '../../../engine/types/encodings.ts';
import { encodingSpec } from '../../contract/fields.ts';

export const METHODS = [
  ['rope', 'RoPE'],
  ['linear', 'linear'],
  ['ntk', 'NTK-aware'],
  ['yarn', 'YaRN'],
  ['self_extend', 'Self-Extend'],
  ['rerope', 'ReRoPE'],
  ['lm_infinite', 'LM-Infinite'],
  ['dual_chunk', 'dual chunk'],
] as const;
export type MethodId = (typeof METHODS)[number][0];

export interface LengthSettings {
  /** Length of the training texts in tokens. */
  readonly trained: number;
  /** Length of the text divided by the trained length. */
  readonly factor: number;
}

/**
 * Window of Self-Extend and ReRoPE: keys at smaller distances keep their positions. A quarter of the trained length, as
 * in the Self-Extend paper (1,024 of 4,096).
 */
export const getNearDistance = (trained: number): number => Math.floor(trained / 4);

/** Returns the smallest group size that keeps Self-Extend's distances below the trained length. */
export function computeGroupSize({ trained, factor }: LengthSettings): number {
  const nearDistance = getNearDistance(trained);
  const getMaxDistance = (group: number): number =>
    Math.floor((trained * factor - 1) / group) + nearDistance - Math.floor(nearDistance / group);
  let group = 1;
  while (getMaxDistance(group) > trained - 1) group++;
  return group;
}

/** Chunk length: three quarters of the trained length, as in the paper on dual chunk attention (3,072 of 4,096). */
export const getChunkLength = (trained: number): number => Math.floor((3 * trained) / 4);

export function createMethodEncoding(method: MethodId, settings: LengthSettings): EncodingConfig {
  const { trained, factor } = settings;
  const nearDistance = getNearDistance(trained);
  const params: { readonly [Id in MethodId]: Params } = {
    rope: {},
    linear: { scaling: 'linear', factor },
    ntk: { scaling: 'ntk_aware', factor },
    yarn: { scaling: 'yarn', factor, original_length: trained },
    self_extend: { remap: 'self_extend', window: nearDistance, group: computeGroupSize(settings) },
    rerope: { remap: 'rerope', window: nearDistance },
    // As in the paper, the distance to the sink tokens is the smallest distance beyond the window.
    lm_infinite: { remap: 'lm_infinite', window: trained, max_distance: trained, sink_tokens: 4 },
    dual_chunk: { remap: 'dual_chunk', chunk: getChunkLength(trained), max_position: trained - 1 },
  };
  return encodingSpec('rope', params[method]);
}
