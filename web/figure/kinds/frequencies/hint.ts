import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Lines beyond the shaded range are angles that never occur in training. Each scaling method reduces them differently.';
