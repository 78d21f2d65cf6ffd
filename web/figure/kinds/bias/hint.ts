import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = ({ noun }) =>
  `Each cell is the bias of one score before the softmax, with ${noun}. Cells of the same colour have the same bias.`;
