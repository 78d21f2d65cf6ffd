import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'binary',
  usedBy: '',
  rank: 6,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{p,c} = \left\lfloor \frac{p}{2^{b}} \right\rfloor \bmod 2, \quad b = d - 1 - c \ \text{ or } \ b = c`,
  summary:
    'The position as a binary number, one bit per channel. Columns alternate at different rates, as in the sinusoidal table, but neighbouring positions can differ in many bits at once.',
  note: 'In the usual notation the most significant, slowest bit comes first; the sinusoidal table has its highest frequency first. Positions wrap around at 2 to the power of the dimension.',
};
