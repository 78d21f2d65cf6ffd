import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'axial RoPE',
  year: 2024,
  authors: 'Heo, Park, Han and Yun',
  paper: { title: 'Rotary Position Embedding for Vision Transformer', arxiv: '2403.13298' },
  usedBy: 'RoPE-ViT, the vision parts of Llama 4, Pixtral and Qwen2-VL',
  rank: 4,
  wellKnown: false,
  formula: tex`R_{(x,y)} = \bigoplus_{t < d_h/4} \mathrm{rot}(x\,\omega_t) \oplus \bigoplus_{t < d_h/4} \mathrm{rot}(y\,\omega_t), \quad \omega_t = \mathrm{base}^{-4t/d_h}`,
  summary:
    'Half of the pairs of channels turn by the column of a patch, half by its row. Attention then sees how far apart two patches stand in each direction.',
  note: 'Implementations differ in everything but the idea: which half is rows, which channels pair up, whether counting starts at 0 or 1, and the base (100 in RoPE-ViT, 10000 in Llama 4, Pixtral and Qwen2-VL). In a text, words are counted through the picture row by row.',
};
