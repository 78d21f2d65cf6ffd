import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'ALiBi',
  year: 2021,
  authors: 'Press, Smith and Lewis',
  paper: { title: 'Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation', arxiv: '2108.12409' },
  usedBy: 'BLOOM, MPT, Falcon',
  rank: 1,
  wellKnown: true,
  formula: tex`S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}} - m_h\,|i - j|, \quad m_h = 2^{-8h/H}`,
  summary:
    'A penalty proportional to the distance between two words is subtracted from their score. Each head has its own slope, so some heads attend locally and others far away.',
  note: 'The paper defines the penalty only under a causal mask. Without a mask, the symmetric form shown here cannot tell left from right. The slopes are 2^(−8h/H) if the number of heads H is a power of two; otherwise, slopes from two such sequences are combined.',
};
