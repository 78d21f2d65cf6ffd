import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'The shape of the error shows the fault: one wrong column means a wrong frequency, wrong rows from one token on mean wrong positions, a wrong right part means wrong scaling, and errors everywhere after position 0 mean a wrong pairing or direction. Dark cells are wrong; pale cells differ by rounding.';
