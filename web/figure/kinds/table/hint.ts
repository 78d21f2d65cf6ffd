import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = ({ encodingNoun }) =>
  `With ${encodingNoun}, each row is the vector added to the word at that position. No two rows should be equal.`;
