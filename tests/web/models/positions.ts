// The positions of every family, read from config.json.

import type { ConfigEncoding, ConfigOptions } from '../../../web/engine/types/api.ts';
import type { AnyPhasor } from '../contract-checks.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Family } from './family.ts';

export const positionsOf = async ({ config }: Checkpoint, phasor: AnyPhasor, request?: ConfigOptions): Promise<ConfigEncoding> =>
  phasor.encodingFromConfig(config, request);

/** The position field of rotary models: the frequency of each channel pair. */
export const frequencies =
  (widthOfHead: (model: Checkpoint) => number): Required<Family>['positions'] =>
  async (model, phasor) => {
    const { encoding } = await positionsOf(model, phasor);
    const { invFreq, attentionFactor } = await phasor.ropeFrequencies({ encoding, dim: widthOfHead(model) });
    if (attentionFactor !== 1) throw new Error(`the attention factor is ${attentionFactor}`);
    return { inv_freq: invFreq.data };
  };
