import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Adding saves channels, concatenating keeps words and positions apart. Bright cells are positions whose results are alike.';
