import type { HintFunction } from '../../contract/hint.ts';
import { LINES } from './placement.ts';

export const hint: HintFunction = ({ encodingNoun, encoding: { id } }) =>
  `With RoPE or a learned table, models soon learn which word came first; without an encoding, or with a symmetric bias, they stay at chance.${
    LINES.includes(id) ? '' : ` This figure has no line for ${encodingNoun}.`
  }`;
