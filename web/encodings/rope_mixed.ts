import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'RoPE-Mixed',
  year: 2024,
  authors: 'Heo, Park, Han and Yun',
  paper: { title: 'Rotary Position Embedding for Vision Transformer', arxiv: '2403.13298' },
  usedBy: 'RoPE-ViT',
  rank: 5,
  wellKnown: false,
  formula: tex`R^{h}_{(x,y)} = \bigoplus_{t < d_h/2} \mathrm{rot}(x\,f^{x}_{h,t} + y\,f^{y}_{h,t})`,
  summary:
    'Every pair of channels turns by a mixture of column and row, and the mixture is learned for each head. A head can thus attend along a diagonal, which axial RoPE cannot.',
  note: 'Before training, each head has one direction drawn at random and its right angle. As frequencies belong to heads, there must be as many heads of keys as of queries.',
};
