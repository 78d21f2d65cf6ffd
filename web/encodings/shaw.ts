import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'Shaw relative',
  year: 2018,
  authors: 'Shaw, Uszkoreit and Vaswani',
  paper: { title: 'Self-Attention with Relative Position Representations', arxiv: '1803.02155' },
  usedBy: 'tensor2tensor, OpenNMT, Music Transformer, BERT with relative_key',
  rank: 1,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i \cdot (k_j + a^K_{r})}{\sqrt{d_h}}, \quad \mathrm{out}_i = \sum_j W_{ij}\,(v_j + a^V_{r}), \quad r = \mathrm{clip}(j - i, -c, c)`,
  summary:
    'A vector is learned for every distance up to a limit and added to keys and to values. So a word finds out not only what it looks at, but also on which side and how far away.',
  note: 'Distances grow to the right here, as in the paper; Hugging Face’s relative_key counts them to the left and moves keys only. Beyond the limit all words of a side look equally far.',
};
