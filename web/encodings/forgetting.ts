import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'Forgetting Transformer',
  year: 2025,
  authors: 'Lin, Nikishin, He and Courville',
  paper: { title: 'Forgetting Transformer: Softmax Attention with a Forget Gate', arxiv: '2503.02130' },
  usedBy: 'flash-linear-attention',
  rank: 8,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} + \sum_{l=j+1}^{i} \ln f_l, \quad f_t = \sigma(u_h \cdot x_t + b_h)`,
  summary:
    'Each word has a forget gate between 0 and 1. Every word after a key multiplies the weight of the key by its gate, so the content determines how fast earlier words fade, and a gate near 0 hides them all.',
  note: 'The formula is defined only for earlier keys, so a causal mask is required. Attention takes log_gates for each token; a layer computes them from its embeddings. Gates of 1 change nothing, and a constant gate f gives ALiBi with the slope -ln f. The paper uses no rotation, but RoPE may be added. The authors start from a bias of 0, x-transformers from 5.',
};
