import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'FIRE',
  year: 2023,
  authors: 'Li, You, Guruganesh, Ainslie, Ontañón, Zaheer, Sanghai, Yang, Kumar and Bhojanapalli',
  paper: { title: 'Functional Interpolation for Relative Positions Improves Long Context Transformers', arxiv: '2310.04418' },
  usedBy: '',
  rank: 4,
  wellKnown: false,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} + f_\theta\!\left(\frac{\psi(i - j)}{\psi(\max(i, L))}\right), \quad \psi(x) = \ln(c\,x + 1)`,
  summary:
    'A small network learns the bias as a function of the distance. The distance is divided by the position of the query, so the network never sees a number it was not trained on.',
  note: 'Because of that division the bias is not a function of the distance alone. Authors count positions from 1, the code most people use from 0; up to L this makes no difference.',
};
