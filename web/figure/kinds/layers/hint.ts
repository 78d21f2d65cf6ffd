import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Short bars are layers that see only the last tokens, long ones reach the whole text. A pale bar is a layer without an encoding, which knows of order only what the causal mask hides.';
