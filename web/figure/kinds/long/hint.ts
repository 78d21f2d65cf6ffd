import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Each pixel is the mean of many weights; zoom in for the exact ones. Look for the diagonal, and for how far it reaches.';
