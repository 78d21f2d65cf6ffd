import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Faults have shapes: one column is a frequency, rows from one token on are positions, the right part is scaling, and everything from position 1 on is the pairing or the direction. Dark cells are wrong; pale ones differ by rounding.';
