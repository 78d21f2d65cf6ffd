import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Cells far from the background colour are positions with similar vectors. If only the distance matters, every diagonal has one colour.';
