import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'DAPE',
  year: 2024,
  authors: 'Zheng, Gao, Shi, Huang et al.',
  paper: { title: 'DAPE: Data-Adaptive Positional Encoding for Length Extrapolation', arxiv: '2405.14722' },
  usedBy: '',
  rank: 6,
  wellKnown: false,
  mainParams: ['bias', 'mlp_width', 'seed'],
  formula: tex`S_{ij} = s_{ij} + B_{ij} + W_2\,\mathrm{LeakyReLU}\left(W_1 \begin{bmatrix} s_{ij} \\ B_{ij} \end{bmatrix} + b_1\right) + b_2, \quad s_{ij}^{(h)} = \frac{q_i^{(h)} \cdot k_j^{(h)}}{\sqrt{d_h}}`,
  summary:
    'A small network adjusts the bias of another encoding (KERPLE by default) to the content. For each pair of words it sees the scores and the biases of all heads, and it is trained with the model.',
  note: 's, B and S are vectors over the heads, so heads are not independent: changing their number changes every head. When W₂ and b₂ are 0, only the other encoding remains. The authors’ code uses LeakyReLU in FIRE’s network; here it uses ReLU, as in the FIRE paper. The weights shown are drawn at random from the seed, not trained.',
};
