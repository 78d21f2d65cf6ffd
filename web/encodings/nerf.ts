import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'NeRF features',
  year: 2020,
  authors: 'Mildenhall, Srinivasan, Tancik, Barron, Ramamoorthi and Ng',
  paper: { title: 'NeRF: Representing Scenes as Neural Radiance Fields for View Synthesis', arxiv: '2003.08934' },
  usedBy: 'NeRF',
  rank: 10,
  wellKnown: false,
  first: ['levels', 'extent', 'factor_pi'],
  formula: tex`\gamma(x) = \left(\sin(2^0 \pi x), \cos(2^0 \pi x), \ldots, \sin(2^{L-1} \pi x), \cos(2^{L-1} \pi x)\right)`,
  summary:
    'Each coordinate becomes sines and cosines of doubling frequency. The fast waves let a network draw fine detail that it would smooth away if it saw the coordinate itself.',
  note: 'The paper has the factor π, the authors’ code has not, and it keeps the coordinate itself in front. At whole positions every sine with π is 0: divide them by an extent above the length of the text.',
  pairs(columns, param) {
    const front = param('include_input') === true ? 1 : 0;
    return Array.from({ length: (columns - front) / 2 }, (_, k) => [front + 2 * k, front + 2 * k + 1]);
  },
};
