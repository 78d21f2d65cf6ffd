import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'FoPE',
  year: 2024,
  authors: 'Hua, Jiang, Lv, Zhang et al.',
  paper: {
    title: 'Fourier Position Embedding: Enhancing Attention’s Periodic Extension for Length Generalization',
    arxiv: '2412.17739',
  },
  usedBy: '',
  rank: 8,
  wellKnown: false,
  formula: tex`\cos{}'_m(p) = \sum_{t} C_{h,t,m} \cos p\,\theta_t, \quad \sin{}'_m(p) = \sum_{t} S_{h,t,m} \sin p\,\theta_t`,
  summary:
    'RoPE in which every pair of channels mixes several frequencies instead of having one. Frequencies too slow to complete a turn during training are removed.',
  note: 'A mixture is not a rotation: scores depend on both positions, not on their difference alone. In the authors’ code, at most a quarter of the channels form such pairs. All other pairs have cosine 1 and sine 1 (sine_one), which doubles their products; without a rotation, the sine is 0 (identity, the default here). The authors do not train the weights.',
  mainParams: ['base', 'floor_length', 'pairs', 'rest'],
};
