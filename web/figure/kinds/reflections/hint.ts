import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'PaTH gives a key no position once and for all: every word after it moves it again. Swap two of these words, and the key ends elsewhere.';
