import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Along a row the distance grows from the diagonal to the left. With remap it stops growing, or grows in steps, so that every distance occurs in training.';
