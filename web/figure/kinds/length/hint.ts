import type { Hint } from '../../contract/hint.ts';
import { LINES } from './placement.ts';

export const hint: Hint = ({ noun, encoding: { id } }) =>
  `One token beyond the trained length a learned table has no row, and T5’s bias goes on. ${
    LINES.includes(id) ? 'Give the table more rows, and see what they are worth without training.' : `There is no line of ${noun} here.`
  }`;
