import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'sinusoidal grid',
  year: 2021,
  authors: 'He, Chen, Xie, Li, Dollár and Girshick',
  paper: { title: 'Masked Autoencoders Are Scalable Vision Learners', arxiv: '2111.06377' },
  usedBy: 'MAE, MoCo v3, tensor2tensor',
  rank: 11,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{(y,x)} = \left[\sin(x\,\theta), \cos(x\,\theta), \sin(y\,\theta), \cos(y\,\theta)\right], \quad \theta_t = \mathrm{base}^{-4t/d}`,
  summary:
    'The sinusoidal table for images and volumes: each coordinate has its own block of channels. Two patches in the same column share one half of their channels, two patches in the same row the other half.',
  note: 'In MAE the first half encodes the column, although its code calls it emb_h. Other implementations put the row first, interleave sine and cosine, or space the frequencies as in tensor2tensor.',
};
