import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Lines beyond the shaded range are angles that never occur in training. Each scaling method reduces them differently.';
