import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Adding needs fewer channels; concatenating keeps words and positions separate. Strongly coloured cells are pairs of positions with similar results.';
