import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Draw the matrices of three positions. Only rotations and reflections give one score for each distance.';
