import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Each pixel is the mean of many weights; zoom in to see single weights. The width of the diagonal shows how far attention reaches.';
