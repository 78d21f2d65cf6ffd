import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'In each row, the distance grows from the diagonal to the left. With remap it stops growing or grows in steps, so every distance occurs in training.';
