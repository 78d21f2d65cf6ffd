import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'NeRF features',
  year: 2020,
  authors: 'Mildenhall, Srinivasan, Tancik, Barron, Ramamoorthi and Ng',
  paper: { title: 'NeRF: Representing Scenes as Neural Radiance Fields for View Synthesis', arxiv: '2003.08934' },
  usedBy: 'NeRF',
  rank: 10,
  wellKnown: false,
  mainParams: ['levels', 'extent', 'factor_pi'],
  formula: tex`\gamma(x) = \left(\sin(2^0 \pi x), \cos(2^0 \pi x), \ldots, \sin(2^{L-1} \pi x), \cos(2^{L-1} \pi x)\right)`,
  summary:
    'Each coordinate is mapped to sines and cosines of doubling frequency. The high frequencies let a network represent fine detail that it would smooth away if it received only the coordinate.',
  note: 'The paper has the factor π; the authors’ code omits it and prepends the coordinate itself. At integer positions every sine with π is 0, so divide positions by an extent greater than the length of the sequence.',
};
