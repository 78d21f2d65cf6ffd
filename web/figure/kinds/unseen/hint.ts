import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Plain RoPE has new rotations immediately beyond the trained length, NTK-aware scaling at larger distances; linear scaling and remapped distances have none. Show the attention to see their effect on distant keys, and the loss to see their effect on a model.';
