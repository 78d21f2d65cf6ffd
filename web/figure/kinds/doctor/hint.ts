import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'The shape of the error shows the fault. One wrong column: a wrong frequency. Wrong rows from a token on: wrong positions. A wrong right part: wrong scaling. Errors everywhere after position 0: a wrong pairing or direction. Dark cells are wrong; pale cells differ by rounding.';
