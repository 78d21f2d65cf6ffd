// What the families with rotary positions share: the encoding is read from config.json.

import type { EncodingChoice } from '../../../web/engine/types.ts';
import type { AnyPhasor } from '../contract-checks.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Family } from './family.ts';

export const rotary = async ({ config }: Checkpoint, phasor: AnyPhasor): Promise<EncodingChoice> => phasor.ropeModel(config);

/** The reference has the frequency of each pair of channels. */
export const frequencies =
  (widthOfHead: (model: Checkpoint) => number): Required<Family>['positions'] =>
  async (model, phasor) => {
    const { invFreq, attentionFactor } = await phasor.ropeFrequencies({ encoding: await rotary(model, phasor), width: widthOfHead(model) });
    if (attentionFactor !== 1) throw new Error(`the attention factor is ${attentionFactor}`);
    return { inv_freq: invFreq.data };
  };
