import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'XPos',
  year: 2022,
  authors: 'Sun, Dong, Patra, Ma, Huang, Benhaim, Chaudhary, Song and Wei',
  paper: { title: 'A Length-Extrapolatable Transformer', arxiv: '2212.10554' },
  usedBy: 'torchscale, NeMo, x-transformers',
  rank: 2,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{1}{\sqrt{d_h}} \sum_t \zeta_t^{(i-j)/B}\, (\mathrm{rot}(i\,\theta_t)\,q_{i,t}) \cdot (\mathrm{rot}(j\,\theta_t)\,k_{j,t}), \quad \zeta_t = \frac{2t + \gamma d_h}{(1 + \gamma)\,d_h}`,
  summary:
    'Queries and keys are rotated as in RoPE, and also scaled: with the position, queries shrink and keys grow. Their dot product decays with distance, fastest in high-frequency pairs.',
  note: 'For keys to the right of the query the product grows instead, so XPos is for causal attention. Libraries centre the scaling on the middle of the sequence and round the middle of an odd length differently; their vectors differ, but their dot products do not.',
};
