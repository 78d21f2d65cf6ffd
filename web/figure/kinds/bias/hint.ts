import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = ({ noun }) =>
  `Each cell is what is added to one score before the softmax: ${noun}. Cells of one colour get the same.`;
