import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Each pair of channels is the hand of a clock. Read from fast to slow they count positions, as binary digits do.';
