import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'The pattern of errors reveals the fault: one column for a wrong frequency, all rows from one token on for wrong positions, the right side for wrong scaling, everything after position 0 for a wrong pairing or direction. Dark cells are wrong; pale cells differ only by rounding.';
