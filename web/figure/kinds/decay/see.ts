import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Equal vectors score less as they move apart, and the bound of the paper falls with them. Unrelated vectors do not: RoPE by itself forgets nothing.';
