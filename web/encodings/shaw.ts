import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'Shaw relative',
  year: 2018,
  authors: 'Shaw, Uszkoreit and Vaswani',
  paper: { title: 'Self-Attention with Relative Position Representations', arxiv: '1803.02155' },
  usedBy: 'tensor2tensor, OpenNMT, Music Transformer, BERT with relative_key',
  rank: 1,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i \cdot (k_j + a^K_{r})}{\sqrt{d_h}}, \quad \mathrm{out}_i = \sum_j W_{ij}\,(v_j + a^V_{r}), \quad r = \mathrm{clip}(j - i, -c, c)`,
  summary:
    'A vector is learned for every distance up to a limit and added to keys and to values. The output thus depends not only on what a word attends to, but also on its direction and distance.',
  note: 'Distances are key minus query here, as in the paper; Hugging Face’s relative_key uses query minus key and changes keys only. Beyond the limit all words on one side have the same distance.',
};
