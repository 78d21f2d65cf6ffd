import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'several frequencies',
  usedBy: '',
  rank: 9,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{p,2k-2} = \sin\frac{p}{k}, \quad \mathrm{pe}_{p,2k-1} = \cos\frac{p}{k}, \quad k = 1, \ldots, \frac{d}{2}`,
  summary:
    'Several circles turn at once, the second half as fast as the first, the third a third as fast. Where one circle closes the others do not, so more positions can be told apart.',
  note: 'The frequencies 1/k are harmonic. The sinusoidal table spaces them geometrically instead, so that its slowest wave is thousands of times slower than its fastest.',
  pairs: (columns) => Array.from({ length: Math.floor(columns / 2) }, (_, k) => [2 * k, 2 * k + 1] as const),
};
