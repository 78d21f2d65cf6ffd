import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'axial RoPE',
  year: 2024,
  authors: 'Heo, Park, Han and Yun',
  paper: { title: 'Rotary Position Embedding for Vision Transformer', arxiv: '2403.13298' },
  usedBy: 'RoPE-ViT, DINOv3, the vision encoders of Llama 4, Pixtral and Qwen2-VL',
  rank: 4,
  wellKnown: false,
  formula: tex`R_{(x,y)} = \bigoplus_{t < d_h/4} \mathrm{rot}(x\,\theta_t) \oplus \bigoplus_{t < d_h/4} \mathrm{rot}(y\,\theta_t), \quad \theta_t = \mathrm{base}^{-4t/d_h}`,
  summary:
    'Half of the channel pairs are rotated by the column of a patch, the other half by its row. Scores then depend on the offset between two patches in each direction.',
  note: 'Implementations differ in which half is for rows, which channels form pairs, whether counting starts at 0 or 1, and the base (100 in the axial form of RoPE-ViT, 10000 in Llama 4, Pixtral and Qwen2-VL). DINOv3 places the centres of patches between −1 and 1, so its frequencies depend on the size of the image. A class token and registers are not rotated (prefix_tokens). Given one-dimensional positions, tokens are treated as patches in row-major order.',
};
