import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Plain RoPE has new rotations right after the trained length, NTK-aware scaling further on; linear scaling and the methods that change distances have none. Show the attention to see their effect on distant keys, and the loss to see their effect on a model.';
