// What a layer should do, from an encoding or from a config.json.

import { refusal } from '../errors.ts';
import type { ConfigLayer, EncodingConfig, Phasor } from '../types/api.ts';
import type { Claim } from './requests.ts';
import type { ScoreClaim } from './scores.ts';

export interface Claimed {
  readonly claim?: EncodingConfig | undefined;
  /** The encoding of a layer of the other type. */
  readonly other?: EncodingConfig | undefined;
  /** Numbers of heads of queries and of keys, where the config has them. */
  readonly heads: readonly number[];
  /** Channels of a head, where the config has them. */
  readonly dim?: number | undefined;
}

const asConfig = (encoding: Claim['claim']) => encoding as EncodingConfig | undefined;

/** Every layer of a config, or the message that it has none. */
function layersOf(phasor: Phasor, config: object): readonly ConfigLayer[] {
  try {
    return phasor.layersFromConfig(config).layers;
  } catch {
    // A config may tell its encoding, and not the number of its layers.
    return [];
  }
}

export function claimOf(phasor: Phasor, { claim, other, config, layerIdx }: Claim): Claimed {
  if (claim && config) throw refusal('claim', 'it is provided, but so is config; expected one of them');
  if (!config) {
    if (layerIdx !== undefined) throw refusal('layerIdx', 'it selects a layer of config, which is needed with it');
    return { claim: asConfig(claim), other: asConfig(other), heads: [] };
  }
  const own = phasor.encodingFromConfig(config, layerIdx === undefined ? {} : { layerIdx }).encoding;
  const layers = layersOf(phasor, config);
  const { heads, kvHeads, headDim: dim } = layers[layerIdx ?? 0] ?? {};
  const known = [heads, kvHeads].filter((one) => one !== undefined);
  const text = JSON.stringify(own);
  const another = layers.find(({ encoding }) => encoding && encoding.id !== 'none' && JSON.stringify(encoding) !== text)?.encoding;
  return { claim: own, other: asConfig(other) ?? (layerIdx === undefined ? undefined : another), heads: known, dim };
}

/** Rejects a config whose heads have another size than those of the dump. */
export function checkDim({ dim }: Claimed, found: number): void {
  if (dim !== undefined && dim !== found)
    throw refusal('config', `its heads have ${dim} channels, but those of the dump ${found}; expected the config of this model`);
}

/** The claim about scores of a layer. */
export function scoreClaimOf(
  phasor: Phasor,
  config: object,
  layerIdx = 0,
): { readonly claim: ScoreClaim; readonly dim?: number | undefined } {
  const { layers } = phasor.layersFromConfig(config);
  const layer = layers[layerIdx];
  if (!layer) throw refusal('layerIdx', `${layerIdx} is outside 0 to ${layers.length - 1}`);
  const { encoding, scale, window, softcap, causal, headDim } = layer;
  const isBias = encoding !== undefined && !/^(none|rope|mrope|rope_2d)$/.test(encoding.id);
  return {
    dim: headDim,
    claim: {
      causal: causal !== false,
      window,
      softcap,
      // T5 has no scale.
      scale: scale ?? (encoding?.id === 't5' ? 1 : undefined),
      encoding: isBias ? encoding : undefined,
    },
  };
}
