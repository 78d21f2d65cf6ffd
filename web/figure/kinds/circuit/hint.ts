import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'With RoPE the loss falls at the step at which two heads appear together. Remove the head of layer 1 that looks one token back: the heads of layer 2 lose what they read.';
