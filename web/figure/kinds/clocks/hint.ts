import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Each pair of channels is the hand of a clock. From fast to slow, the hands count positions as binary digits do.';
