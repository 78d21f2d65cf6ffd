import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Equal vectors score less as they move apart, and the bound of the paper falls with them. Unrelated vectors do not: RoPE by itself forgets nothing.';
