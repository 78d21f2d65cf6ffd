import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'A head that attends to the previous token has a peak at distance 1, which disappears without positions. Fast pairs, on the left, distinguish neighbours; slow pairs hardly rotate within the text.';
