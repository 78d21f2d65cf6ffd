import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'several frequencies',
  year: 2017,
  authors: 'nobody in particular; a first step towards Vaswani et al.',
  paper: { title: 'Attention Is All You Need', arxiv: '1706.03762' },
  formula: tex`\mathrm{pe}_{p,2k-2} = \sin\frac{p}{k}, \quad \mathrm{pe}_{p,2k-1} = \cos\frac{p}{k}, \quad k = 1, \ldots, \frac{d}{2}`,
  summary:
    'Several circles turn at once, the second half as fast as the first, the third a third as fast. Where one circle closes the others do not, so more positions can be told apart.',
  note: 'The frequencies 1/k are harmonic. The sinusoidal table spaces them geometrically instead, so that its slowest wave is thousands of times slower than its fastest.',
  pairs: (width) => Array.from({ length: Math.floor(width / 2) }, (_, k) => [2 * k, 2 * k + 1] as const),
};
