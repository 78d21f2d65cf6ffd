import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'PaTH gives a key no position once and for all: every word after it moves it again. Swap two of these words, and the key ends elsewhere.';
