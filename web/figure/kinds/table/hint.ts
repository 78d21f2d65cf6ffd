import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = ({ noun }) =>
  `Each row is the vector that is added to the word at that position, with ${noun}. No two rows should be equal.`;
