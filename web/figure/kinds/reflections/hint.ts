import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'In PaTH a key has no fixed position: every later word moves it again. Swap two of these words, and the final key changes.';
