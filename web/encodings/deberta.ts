import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'DeBERTa',
  year: 2020,
  authors: 'He, Liu, Gao and Chen',
  paper: { title: 'DeBERTa: Decoding-enhanced BERT with Disentangled Attention', arxiv: '2006.03654' },
  usedBy: 'DeBERTa, versions 1 to 3',
  rank: 2,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j + q_i \cdot K^r_{\delta(i,j)} + k_j \cdot Q^r_{\delta(i,j)}}{\sqrt{3\,d_h}}, \quad \delta(i, j) = \mathrm{clip}(i - j + k,\ 0,\ 2k - 1)`,
  summary:
    'Content and position stay apart. A score adds three things: how two words fit, how the query fits the distance, and how the key fits the distance.',
  note: 'The distance is query minus key, the opposite of T5. Later versions put it into logarithmic buckets that round up where T5 rounds down. The root holds one plus the number of position terms.',
};
