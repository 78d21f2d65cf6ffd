import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'Transformer-XL',
  year: 2019,
  authors: 'Dai, Yang, Yang, Carbonell, Le and Salakhutdinov',
  paper: { title: 'Transformer-XL: Attentive Language Models beyond a Fixed-Length Context', arxiv: '1901.02860' },
  usedBy: 'Transformer-XL, XLNet, Conformer, ESPnet',
  rank: 1,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{(q_i + u_h) \cdot k_j + (q_i + v_h) \cdot W_r\,r_{i-j}}{\sqrt{d_h}}`,
  summary:
    'The query meets each word twice: once its content, and once a sinusoid of the distance to it, turned into a vector by a learned matrix. Two learned vectors say how much content and distance matter by themselves.',
  note: 'Distances are counted through the memory of earlier segments. The code computes them by shifting rows of a matrix, which leaves wrong numbers right of the diagonal for the causal mask to hide; XLNet and Conformer look both ways.',
};
