import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'CoPE',
  year: 2024,
  authors: 'Golovneva, Wang, Weston and Sukhbaatar',
  paper: { title: 'Contextual Position Encoding: Learning to Count What’s Important', arxiv: '2405.18719' },
  usedBy: 'x-transformers',
  rank: 3,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} + q_i \cdot e[p_{ij}], \quad p_{ij} = \sum_{t=j}^{i} \sigma\!\left(\frac{q_i \cdot k_t}{\sqrt{d_h}}\right)`,
  summary:
    'A relative position is not the number of words in between but the number of words that matter, which each query determines with a gate. A head can thus learn to count sentences or names.',
  note: 'Positions are fractional, and vectors are interpolated between integers. The paper adds q·e to the scaled score; the authors’ repository adds it inside the fraction by default, where it is scaled like q·k.',
};
