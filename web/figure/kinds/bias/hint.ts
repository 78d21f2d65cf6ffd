import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = ({ encodingNoun }) =>
  `Each cell is the bias of one score before the softmax, with ${encodingNoun}. Cells of the same colour have the same bias.`;
