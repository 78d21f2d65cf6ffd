import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'In each row, the distance grows from the diagonal to the left. With remap it stops growing or grows in steps, so every distance occurs in training.';
