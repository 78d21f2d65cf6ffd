import type { See } from '../../contract/what-to-see.ts';

export const see: See = ({ noun }) =>
  `Each row is the vector that is added to the word at that position: ${noun}. No two rows should be the same.`;
