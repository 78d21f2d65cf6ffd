import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Adding needs fewer channels; concatenating keeps words and positions separate. Cells far from the background colour are positions with similar results.';
