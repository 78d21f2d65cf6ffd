import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'relative bias',
  year: 2021,
  authors: 'Liu, Lin, Cao, Hu, Wei, Zhang, Lin and Guo',
  paper: { title: 'Swin Transformer: Hierarchical Vision Transformer using Shifted Windows', arxiv: '2103.14030' },
  usedBy: 'Swin Transformer, in two dimensions',
  rank: 6,
  wellKnown: false,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} + b_{i-j}`,
  summary:
    'A number is learned for every distance between two words and added to their score. The table has 2n − 1 entries for texts of n words, and no answer beyond them.',
  note: 'Some lecture notes set the bias inside the fraction, (q·k + b)/√d, where it gets whatever factor q·k gets, and call it T5 or ALiBi. Those two add it outside, and T5 learns one number per bucket of distances, not per distance.',
};
