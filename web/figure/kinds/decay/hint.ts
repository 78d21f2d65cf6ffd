import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'The score of equal vectors falls with distance, as does the bound in the RoFormer paper. The score of unrelated vectors does not fall, so RoPE alone does not suppress distant words.';
