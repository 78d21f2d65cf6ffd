import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'M-RoPE',
  year: 2024,
  authors: 'Wang, Bai, Tan, Wang et al.',
  paper: { title: 'Qwen2-VL: Enhancing Vision-Language Model’s Perception of the World at Any Resolution', arxiv: '2409.12191' },
  usedBy: 'Qwen2-VL, Qwen3-VL, VideoRoPE',
  rank: 3,
  wellKnown: false,
  formula: tex`R_p = \mathrm{rot}(p_{a(0)}\,\theta_0) \oplus \mathrm{rot}(p_{a(1)}\,\theta_1) \oplus \cdots, \quad a(t) \in \{\text{time}, \text{row}, \text{column}\}`,
  summary:
    'Each position has three coordinates: time, row and column. Each pair of channels is rotated by one of them, so text, images and video can share one attention layer.',
  note: 'For text the three coordinates are equal, and M-RoPE reduces to RoPE. Qwen2-VL assigns the highest frequencies to time and the lowest to columns; Qwen3-VL interleaves them. VideoRoPE (Wei et al. 2025) gives time the lowest frequencies, and alternates rows and columns in the others. Its code starts with rows, although the comments in it start with columns.',
  mainParams: ['base', 'layout', 'arrangement', 'scaling', 'factor', 'original_length'],
};
