import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Plain RoPE has new rotations directly beyond the trained length, NTK-aware scaling at larger distances. Linear scaling and the methods that change distances have none. Show the attention to see their effect on distant keys, and the loss to see their effect on a model.';
