import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'Sandwich',
  year: 2022,
  authors: 'Chi, Fan, Rudnicky and Ramadge',
  paper: { title: 'Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis', arxiv: '2212.10356' },
  usedBy: 'NeMo',
  rank: 5,
  wellKnown: false,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} + \frac{H}{8h} \left( \sum_{t} \cos\bigl((i - j)\,\omega_t\bigr) - \frac{\bar d}{2} \right), \quad \omega_t = \mathrm{base}^{-2t/\bar d}`,
  summary:
    'The inner product of two sinusoidal vectors is added to the score as a bias. It falls with the distance like ALiBi’s, with waves on it, and nothing is learned.',
  note: 'A sum over sinusoids starts with the fastest wave, t = 0; NVIDIA’s NeMo starts with t = 1. Subtracting d/2 makes the diagonal 0 and changes nothing after the softmax.',
};
