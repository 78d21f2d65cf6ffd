import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'RoPE-Mixed',
  year: 2024,
  authors: 'Heo, Park, Han and Yun',
  paper: { title: 'Rotary Position Embedding for Vision Transformer', arxiv: '2403.13298' },
  usedBy: 'RoPE-ViT',
  rank: 5,
  wellKnown: false,
  formula: tex`R^{h}_{(x,y)} = \bigoplus_{t < d_h/2} \mathrm{rot}(x\,f^{x}_{h,t} + y\,f^{y}_{h,t})`,
  summary:
    'Every pair of channels is rotated by a linear combination of column and row, learned for each head. A head can thus attend along a diagonal, which axial RoPE cannot.',
  note: 'At initialisation, each head gets a random direction and the direction perpendicular to it. Each head has its own frequencies, so there must be as many key heads as query heads.',
};
