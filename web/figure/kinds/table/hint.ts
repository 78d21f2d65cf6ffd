import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = ({ encodingNoun }) =>
  `Each row is the vector that is added to the word at that position, with ${encodingNoun}. No two rows should be equal.`;
