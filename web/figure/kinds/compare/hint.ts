import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'A, B and their difference have the same axes and the same colours. A difference of zero everywhere means that the two agree.';
