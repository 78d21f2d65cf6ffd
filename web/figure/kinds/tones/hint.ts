import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Press “Listen”, then choose a scaling while the tones sound: interpolation lowers all of them, YaRN only the low ones.';
