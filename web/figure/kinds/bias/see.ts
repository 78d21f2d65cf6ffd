import type { See } from '../../contract/what-to-see.ts';

export const see: See = ({ noun }) =>
  `Each cell is what is added to one score before the softmax: ${noun}. Cells of one colour get the same.`;
