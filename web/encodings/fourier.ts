import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'Fourier features',
  year: 2020,
  authors: 'Tancik, Srinivasan, Mildenhall, Fridovich-Keil, Raghavan, Singhal, Ramamoorthi, Barron and Ng',
  paper: { title: 'Fourier Features Let Networks Learn High Frequency Functions in Low Dimensional Domains', arxiv: '2006.10739' },
  usedBy: '',
  rank: 3,
  wellKnown: true,
  first: ['sigma', 'extent', 'matrix'],
  formula: tex`\gamma(v) = \left[\cos(2\pi B v), \; \sin(2\pi B v)\right], \quad B_{fa} \sim \mathcal{N}(0, \sigma^2)`,
  summary:
    'Positions with one or more coordinates are turned into waves whose directions and frequencies are drawn once at random. A larger sigma gives faster waves, which tell close positions apart and blur far ones.',
  note: 'The paper has all cosines first, the authors’ code all sines. Positions are meant to lie between 0 and 1: they are divided by an extent, 64 words unless you change it.',
  pairs(columns, param) {
    const half = columns / 2;
    return Array.from({ length: half }, (_, f) => (param('order') === 'sin_cos' ? [f, half + f] : [half + f, f]));
  },
};
