import type { Hint } from '../../contract/hint.ts';
import { LINES } from './placement.ts';

export const hint: Hint = ({ noun, encoding: { id } }) =>
  `RoPE and a learned table soon answer who came first; no encoding, and a bias that is the same on both sides, stay at chance.${
    LINES.includes(id) ? '' : ` There is no line of ${noun} here.`
  }`;
