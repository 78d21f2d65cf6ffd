import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'PaTH',
  year: 2025,
  authors: 'Yang, Shen, Wen, Tan, Mishra, Ren, Panda and Kim',
  paper: { title: 'PaTH Attention: Position Encoding via Accumulating Householder Transformations', arxiv: '2505.16381' },
  usedBy: 'flash-linear-attention',
  rank: 5,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i^{\top} H_i\,H_{i-1} \cdots H_{j+1}\,k_j}{\sqrt{d_h}}, \quad H_t = I - \beta_t\,w_t w_t^{\top}`,
  summary:
    'Every word between a key and a query transforms the key by a reflection that depends on the content of the word. A relative position is thus the product of all reflections in between, and one word can erase earlier content.',
  note: 'The formula is defined only for earlier keys, so a causal mask is required. Attention takes w and beta for each token and key head; a layer computes them from its embeddings, as flash-linear-attention does. With forget gates, fla multiplies their logarithms by the factor on q·k as well, while the formula of the paper adds them after scaling; the default follows fla, as its checkpoints require (gate_scaled).',
};
