import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'A set has no order, so no output should depend on it. With an encoding for sequences, the same points have different outputs in another order.';
