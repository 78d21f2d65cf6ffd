import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Equal vectors score less as they move apart, and the bound of the paper falls with them. The score of unrelated vectors does not fall, so RoPE alone does not suppress distant words.';
