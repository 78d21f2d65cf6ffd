import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'proximal bias',
  year: 2018,
  authors: 'Vaswani, Bengio, Brevdo, Chollet, Gomez, Gouws, Jones, Kaiser, Kalchbrenner, Parmar, Sepassi, Shazeer and Uszkoreit',
  paper: { title: 'Tensor2Tensor for Neural Machine Translation', arxiv: '1803.07416' },
  usedBy: 'tensor2tensor',
  rank: 7,
  wellKnown: false,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} - \ln(1 + |i - j|)`,
  summary:
    'Every score loses the logarithm of the distance, the same in every head. A word two steps away weighs a third of what it would weigh without it, nine steps away a tenth.',
  note: 'It stands in the code of tensor2tensor and not in a paper. KERPLE’s logarithmic form is the same with two learned numbers per head.',
};
