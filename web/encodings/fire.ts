import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'FIRE',
  year: 2023,
  authors: 'Li, You, Guruganesh, Ainslie, Ontañón, Zaheer, Sanghai, Yang, Kumar and Bhojanapalli',
  paper: { title: 'Functional Interpolation for Relative Positions Improves Long Context Transformers', arxiv: '2310.04418' },
  usedBy: '',
  rank: 4,
  wellKnown: false,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} + f_\theta\!\left(\frac{\psi(i - j)}{\psi(\max(i, L))}\right), \quad \psi(x) = \ln(c\,x + 1)`,
  summary:
    'A small network learns the bias as a function of the distance. The distance is divided by the position of the query, so under a causal mask the input of the network stays between 0 and 1, however long the text.',
  note: 'Beyond position L, this division makes the bias depend on more than the distance. The authors count positions from 1, the most widely used code from 0; up to L this makes no difference.',
};
