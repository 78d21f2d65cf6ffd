import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () => 'Draw the matrices of three positions. Only rotations and reflections have one score for each distance.';
