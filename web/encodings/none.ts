import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'none',
  year: 2022,
  authors: 'Haviv, Ram, Press, Izsak and Levy',
  paper: { title: 'Transformer Language Models without Positional Encodings Still Learn Positional Information', arxiv: '2203.16634' },
  usedBy: 'Every fourth layer of Llama 4 and SmolLM3',
  rank: 1,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}}`,
  summary:
    'Attention compares every word with every other, regardless of their positions. Permuting the words permutes the outputs in the same way and changes nothing else.',
  note: 'Without a mask the layer is permutation equivariant. A causal mask alone already breaks this: each word then attends only to itself and the words before it. Irie et al. (2019, arXiv:1905.04226) had already found that deep language models work well without an encoding.',
};
