import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'Transformer-XL',
  year: 2019,
  authors: 'Dai, Yang, Yang, Carbonell, Le and Salakhutdinov',
  paper: { title: 'Transformer-XL: Attentive Language Models beyond a Fixed-Length Context', arxiv: '1901.02860' },
  usedBy: 'Transformer-XL, XLNet, Conformer, ESPnet',
  rank: 1,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{(q_i + u_h) \cdot k_j + (q_i + v_h) \cdot W_r\,r_{i-j}}{\sqrt{d_h}}`,
  summary:
    'The query is multiplied by each key and by a sinusoidal encoding of the distance, projected by a learned matrix. Two learned vectors add biases for content and for distance, independent of the query.',
  note: 'Distances extend into the memory of earlier segments. The code computes them by shifting rows of a matrix, which leaves invalid entries to the right of the diagonal, where the causal mask hides them; XLNet and Conformer are bidirectional.',
};
