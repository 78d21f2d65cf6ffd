import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Each pixel is the mean of many weights; zoom in for the exact ones. The width of the diagonal shows how far attention reaches.';
