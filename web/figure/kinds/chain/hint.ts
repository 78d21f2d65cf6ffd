import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Follow one key from top to bottom: its score, the bias, the mask and its weight. The weights of all keys sum to 1.';
