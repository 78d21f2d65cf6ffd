import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'several frequencies',
  usedBy: '',
  rank: 9,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{p,2k-2} = \sin\frac{p}{k}, \quad \mathrm{pe}_{p,2k-1} = \cos\frac{p}{k}, \quad k = 1, \ldots, \frac{d}{2}`,
  summary:
    'Several points rotate on circles: the second is half as fast as the first, the third a third as fast. Positions repeat only when all points are back at their starts, so more positions can be distinguished.',
  note: 'The frequencies 1/k are harmonic. The sinusoidal table spaces them geometrically instead, so that its lowest frequency is thousands of times lower than its highest.',
};
