import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Cells far from the background colour are positions with similar vectors. If only the distance matters, every diagonal has one colour.';
