import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'A head that attends to the previous token has its peak at a distance of 1, and loses it without positions. Fast pairs, at the left, distinguish neighbours; slow pairs hardly rotate within the text.';
