import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Short bars are layers that attend only to the last tokens, long bars are layers that attend to the whole text. A pale bar is a layer without an encoding, which depends on order only through the causal mask.';
