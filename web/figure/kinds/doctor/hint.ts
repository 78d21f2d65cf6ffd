import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'The shape of the error shows the fault: one column is a frequency, all rows from one token on are positions, the right part is scaling, and everything from position 1 on is the pairing or the direction. Dark cells are wrong; pale cells differ by rounding.';
