import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'Sandwich',
  year: 2022,
  authors: 'Chi, Fan, Rudnicky and Ramadge',
  paper: { title: 'Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis', arxiv: '2212.10356' },
  usedBy: 'NeMo',
  rank: 5,
  wellKnown: false,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} + \frac{H}{8h} \left( \sum_{t} \cos\bigl((i - j)\,\theta_t\bigr) - \frac{\bar d}{2} \right), \quad \theta_t = \mathrm{base}^{-2t/\bar d}`,
  summary:
    'The inner product of two sinusoidal vectors is added to the score as a bias. Like the bias of ALiBi it decreases with distance and is not learned, but it oscillates.',
  note: 'The sum over sinusoids starts at the highest frequency, t = 0; NVIDIA’s NeMo starts at t = 1. Subtracting d/2 makes the diagonal 0 and does not change the softmax.',
};
