import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Plain RoPE meets new rotations right after the trained length and NTK-aware further on, while linear scaling and the methods that change distances meet none. Show the attention to see what they do to keys that are far away, and the loss to see how well a model then reads.';
