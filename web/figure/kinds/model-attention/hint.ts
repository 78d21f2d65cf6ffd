import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'A head that looks one token back has its peak at a distance of 1, and loses it without positions. Fast pairs, at the left, tell neighbours apart; slow pairs hardly turn within the text.';
