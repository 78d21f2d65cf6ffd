import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Bright cells are positions whose vectors are alike. If only the distance matters, every diagonal has one colour.';
