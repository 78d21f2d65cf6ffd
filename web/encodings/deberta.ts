import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'DeBERTa',
  year: 2020,
  authors: 'He, Liu, Gao and Chen',
  paper: { title: 'DeBERTa: Decoding-enhanced BERT with Disentangled Attention', arxiv: '2006.03654' },
  usedBy: 'DeBERTa, versions 1 to 3',
  rank: 2,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j + q_i \cdot K^r_{\delta(i,j)} + k_j \cdot Q^r_{\delta(i,j)}}{\sqrt{3\,d_h}}, \quad \delta(i, j) = \mathrm{clip}(i - j + k,\ 0,\ 2k - 1)`,
  summary:
    'Content and position are disentangled. A score is the sum of three terms: content to content, content to position, and position to content.',
  note: 'The distance is query minus key, the opposite of T5. Later versions use logarithmic buckets that round up where T5 rounds down. The factor under the root is one plus the number of position terms.',
};
