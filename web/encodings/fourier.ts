import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'Fourier features',
  year: 2020,
  authors: 'Tancik, Srinivasan, Mildenhall, Fridovich-Keil, Raghavan, Singhal, Ramamoorthi, Barron and Ng',
  paper: { title: 'Fourier Features Let Networks Learn High Frequency Functions in Low Dimensional Domains', arxiv: '2006.10739' },
  usedBy: '',
  rank: 3,
  wellKnown: true,
  mainParams: ['sigma', 'extent', 'matrix'],
  formula: tex`\gamma(v) = \left[\cos(2\pi B v), \; \sin(2\pi B v)\right], \quad B_{fa} \sim \mathcal{N}(0, \sigma^2)`,
  summary:
    'Positions with one or more coordinates are mapped to sinusoids whose frequency vectors are drawn once at random. A larger sigma gives higher frequencies, which separate close positions and make far ones ambiguous.',
  note: 'The paper puts all cosines first, the authors’ code all sines. Positions should lie between 0 and 1: they are divided by an extent, 64 words by default.',
};
