import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'KERPLE',
  year: 2022,
  authors: 'Chi, Fan, Ramadge and Rudnicky',
  paper: { title: 'KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation', arxiv: '2205.09921' },
  usedBy: '',
  rank: 3,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} - r_{1,h}\,\ln(1 + r_{2,h}\,|i - j|)`,
  summary:
    'Every score loses an amount that grows with the distance, as in ALiBi, but how fast is learned: by a logarithm or by a power, with two numbers per head.',
  note: 'ALiBi is the power form with exponent 1. The authors’ code keeps the numbers above 0.01 and exponents below 2, and looks to the left only. NVIDIA’s NeMo has another formula under the same name.',
};
