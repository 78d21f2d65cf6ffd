import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'relative bias',
  year: 2021,
  authors: 'Liu, Lin, Cao, Hu, Wei, Zhang, Lin and Guo',
  paper: { title: 'Swin Transformer: Hierarchical Vision Transformer using Shifted Windows', arxiv: '2103.14030' },
  usedBy: 'Swin Transformer, in two dimensions',
  rank: 6,
  wellKnown: false,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} + b_{i-j}`,
  summary:
    'A bias is learned for every signed distance between two words and added to their score. The table has 2n − 1 entries for sequences of n words; larger distances are undefined.',
  note: 'Some lecture notes put the bias inside the fraction, (q·k + b)/√d, where it is scaled like q·k, and call it T5 or ALiBi. T5 and ALiBi add the bias outside, and T5 learns one bias per bucket of distances, not per distance.',
};
