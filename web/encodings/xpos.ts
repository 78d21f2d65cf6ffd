import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'XPos',
  year: 2022,
  authors: 'Sun, Dong, Patra, Ma, Huang, Benhaim, Chaudhary, Song and Wei',
  paper: { title: 'A Length-Extrapolatable Transformer', arxiv: '2212.10554' },
  usedBy: 'torchscale, NeMo, x-transformers',
  rank: 2,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{1}{\sqrt{d_h}} \sum_t \zeta_t^{(i-j)/B}\, (\mathrm{rot}(i\,\omega_t)\,q_{i,t}) \cdot (\mathrm{rot}(j\,\omega_t)\,k_{j,t}), \quad \zeta_t = \frac{2t + \gamma d_h}{(1 + \gamma)\,d_h}`,
  summary:
    'Queries and keys are turned as in RoPE, and queries also shrink with the position while keys grow. Their product fades with the distance, the fast pairs first.',
  note: 'For keys to the right of the query the product grows instead, so XPos belongs to causal attention. Libraries count the scaling from the middle of the text and round the middle of an odd number of words differently: their vectors differ, their products do not.',
};
