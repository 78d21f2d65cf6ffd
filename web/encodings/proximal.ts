import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'proximal bias',
  year: 2018,
  authors: 'Vaswani, Bengio, Brevdo, Chollet, Gomez, Gouws, Jones, Kaiser, Kalchbrenner, Parmar, Sepassi, Shazeer and Uszkoreit',
  paper: { title: 'Tensor2Tensor for Neural Machine Translation', arxiv: '1803.07416' },
  usedBy: 'tensor2tensor',
  rank: 7,
  wellKnown: false,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} - \ln(1 + |i - j|)`,
  summary:
    'The logarithm of one plus the distance is subtracted from every score, the same in every head. Before normalisation, a word two steps away has a third of the weight it would otherwise have, and a word nine steps away a tenth.',
  note: 'This bias comes from the code of tensor2tensor, not from a paper. KERPLE’s logarithmic form generalises it with two learned parameters per head.',
};
