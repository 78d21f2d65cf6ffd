import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'PoPE',
  year: 2025,
  authors: 'Gopalakrishnan, Csordás, Schmidhuber and Mozer',
  paper: { title: 'Decoupling the “What” and “Where” With Polar Coordinate Positional Embeddings', arxiv: '2509.10534' },
  usedBy: '',
  rank: 7,
  wellKnown: false,
  formula: tex`S_{ij} = \frac{1}{\sqrt{d_h}} \sum_{c} \sigma^{+}(q_{i,c})\,\sigma^{+}(k_{j,c})\,\cos\big((j - i)\,\theta_c + \delta_{h,c}\big), \quad \theta_c = b^{-c/d_h}`,
  summary:
    'In RoPE, content and position both change the angle of a pair of channels. Here, content sets only the length of each channel (by softplus, σ⁺) and position only its angle, so that what and where are independent.',
  note: 'Every channel has its own frequency, so rotated queries and keys are twice as wide. The learned phase δ is kept between −2π and 0. The paper adds it to keys; here it is subtracted from queries, which leads to the same scores and lets heads share keys.',
};
