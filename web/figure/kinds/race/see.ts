import type { See } from '../../contract/what-to-see.ts';
import { LINES } from './lab.ts';

export const see: See = ({ noun, encoding: { id } }) =>
  `RoPE and a learned table soon answer who came first; no encoding, and a bias that is the same on both sides, stay at chance.${
    LINES.includes(id) ? '' : ` There is no line of ${noun} here.`
  }`;
