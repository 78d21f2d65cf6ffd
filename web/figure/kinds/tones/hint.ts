import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Press “Listen”, then choose a scaling while the tones sound: interpolation lowers all of them, YaRN only the low ones.';
