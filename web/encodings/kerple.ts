import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'KERPLE',
  year: 2022,
  authors: 'Chi, Fan, Ramadge and Rudnicky',
  paper: { title: 'KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation', arxiv: '2205.09921' },
  usedBy: '',
  rank: 3,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} - r_{1,h}\,\ln(1 + r_{2,h}\,|i - j|)`,
  summary:
    'A penalty that grows with the distance is subtracted from every score, as in ALiBi. Here it is a logarithm or a power of the distance, with two learned parameters per head.',
  note: 'ALiBi is the power form with exponent 1. The authors’ code clamps the parameters to at least 0.01 and exponents to at most 2, and is causal only. NVIDIA’s NeMo uses a different formula under the same name.',
};
