import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Each pair of channels is a clock hand. From fast to slow, the hands count positions like binary digits.';
