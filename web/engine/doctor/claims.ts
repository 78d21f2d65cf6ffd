// Resolves a layer's claimed encoding, which is given directly or by a config.json.

import { argumentError } from '../errors.ts';
import type { ConfigLayer, EncodingConfig, Phasor } from '../types/api.ts';
import type { Claim } from './requests.ts';
import type { ScoreClaim } from './scores.ts';
import { withParameters } from './state.ts';

export interface ResolvedClaim {
  readonly claim?: EncodingConfig | undefined;
  /** The encoding of the other layer type in the same model, such as sliding-window layers. */
  readonly other?: EncodingConfig | undefined;
  /** The numbers of query heads and key heads, if the config specifies them. */
  readonly heads: readonly number[];
  /** Channels per head, if the config specifies them. */
  readonly dim?: number | undefined;
}

const asConfig = (encoding: Claim['claim']) => encoding as EncodingConfig | undefined;

/** Returns all layers of a config, or an empty array if they cannot be read, for example because the number of layers is missing. */
export function readLayers(phasor: Phasor, config: object): readonly ConfigLayer[] {
  try {
    return phasor.layersFromConfig(config).layers;
  } catch {
    // A config without readable layers may still have a readable encoding.
    return [];
  }
}

export function resolveClaim(phasor: Phasor, { claim, other, config, layerIdx }: Claim): ResolvedClaim {
  if (claim && config) throw argumentError('claim', 'cannot be combined with config; expected one of the two');
  if (!config) {
    if (layerIdx !== undefined) throw argumentError('layerIdx', 'selects a layer of config, but config is missing');
    return { claim: asConfig(claim), other: asConfig(other), heads: [] };
  }
  const claimed = phasor.encodingFromConfig(config, layerIdx === undefined ? {} : { layerIdx }).encoding;
  const layers = readLayers(phasor, config);
  const { heads, kvHeads, headDim: dim } = layers[layerIdx ?? 0] ?? {};
  const knownHeadCounts = [heads, kvHeads].filter((headCount) => headCount !== undefined);
  const claimText = JSON.stringify(claimed);
  const otherEncoding = layers.find(
    ({ encoding }) => encoding && encoding.id !== 'none' && JSON.stringify(encoding) !== claimText,
  )?.encoding;
  return { claim: claimed, other: asConfig(other) ?? (layerIdx === undefined ? undefined : otherEncoding), heads: knownHeadCounts, dim };
}

/** Parameters that select which channels of a head are rotated. */
const SLICE_PARAMETERS = ['rotary_dim', 'rotary_fraction', 'rotary_offset'];

/**
 * Adapts the claimed encoding to vectors of `vectorDim` channels. The vectors are whole heads or only the rotated channels, because many models slice
 * those out before the rotation.
 * @throws {PhasorError} if the head dimension in the config fits neither
 */
export function resolveForDim(phasor: Phasor, claimed: ResolvedClaim, vectorDim: number): ResolvedClaim {
  const { claim, other, dim } = claimed;
  if (dim === undefined || dim === vectorDim) return claimed;
  const countRotaryChannels = ({ id, ...rest }: EncodingConfig) =>
    id === 'rope' || id === 'mrope'
      ? 2 * phasor.ropeFrequencies({ encoding: { id, ...rest } as EncodingConfig, dim }).invFreq.data.length
      : 0;
  if (claim && countRotaryChannels(claim) === vectorDim) {
    const withoutSlice = (config: EncodingConfig | undefined) =>
      config && (countRotaryChannels(config) === vectorDim ? withParameters(config, {}, SLICE_PARAMETERS) : undefined);
    return { ...claimed, claim: withoutSlice(claim), other: withoutSlice(other), dim: vectorDim };
  }
  throw argumentError('config', `specifies ${dim} channels per head, but the dump has ${vectorDim}; expected the config of this model`);
}

export function resolveScoreClaim(
  phasor: Phasor,
  config: object,
  layerIdx = 0,
): { readonly claim: ScoreClaim; readonly dim?: number | undefined } {
  const { layers } = phasor.layersFromConfig(config);
  const layer = layers[layerIdx];
  if (!layer) throw argumentError('layerIdx', `${layerIdx} is outside 0 to ${layers.length - 1}`);
  const { encoding, scale, window, softcap, causal, headDim } = layer;
  const isBias = encoding !== undefined && !/^(none|rope|mrope|rope_2d)$/.test(encoding.id);
  return {
    dim: headDim,
    claim: {
      causal: causal !== false,
      window,
      softcap,
      // T5 does not scale q.k.
      scale: scale ?? (encoding?.id === 't5' ? 1 : undefined),
      encoding: isBias ? encoding : undefined,
    },
  };
}
