import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'binary',
  usedBy: '',
  rank: 6,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{p,c} = \left\lfloor \frac{p}{2^{b}} \right\rfloor \bmod 2, \quad b = d - 1 - c \ \text{ or } \ b = c`,
  summary:
    'The position as a binary number, one bit in each channel. Fast and slow columns share the work as in the sinusoidal table, but neighbours can differ in many bits at once.',
  note: 'Written as one reads it, the slowest bit stands first; the sinusoidal table has its fastest wave first. Positions wrap after 2 to the power of the width.',
};
