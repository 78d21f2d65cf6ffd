import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Equal vectors score less as they move apart, and so does the bound in the RoFormer paper. The score of unrelated vectors does not fall, so RoPE alone does not suppress distant words.';
