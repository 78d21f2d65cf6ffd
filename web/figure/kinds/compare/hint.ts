import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'A, B and their difference have the same axes and the same colours. If the difference is zero everywhere, A and B are equal.';
