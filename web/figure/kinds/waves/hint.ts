import type { EncodingInfo } from '../../../engine/index.ts';
import { type HintFunction, type HintSettings, hasRandomTable } from '../../contract/hint.ts';

const MULTI_FREQUENCY_ENCODINGS = ['sinusoidal', 'sinusoidal_grid', 'multi_frequency', 'nerf'];

function describeChannels(encoding: EncodingInfo, setting: HintSettings): string {
  if (encoding.id === 'binary') return 'In a short text, the high digits are always 0; select other “shown channels” under Settings.';
  if (hasRandomTable(encoding, setting)) return 'The values are random until they are trained, so neighbours are not similar.';
  if (MULTI_FREQUENCY_ENCODINGS.includes(encoding.id))
    return 'Fast channels distinguish neighbours; slow channels distinguish the beginning from the end.';
  return 'Two positions with the same value in every channel cannot be distinguished.';
}

export const hint: HintFunction = ({ encodingNoun, encoding, settings }) =>
  `Each curve is one channel of ${encodingNoun} along the sentence. ${describeChannels(encoding, settings)}`;
