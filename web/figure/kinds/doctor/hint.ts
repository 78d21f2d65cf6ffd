import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'The shape of the error shows the fault: one column for a frequency, all rows from one token on for positions, the right side for scaling, everything after position 0 for the pairing or the direction. Dark cells are wrong; pale cells differ by rounding.';
