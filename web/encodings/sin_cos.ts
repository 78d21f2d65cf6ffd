import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'sine and cosine',
  usedBy: '',
  rank: 8,
  wellKnown: false,
  formula: tex`\mathrm{pe}_p = (\sin(p), \cos(p))`,
  summary:
    'Each position is a point on a circle, one radian further than the one before. Sine and cosine together distinguish the rising from the falling part. A full turn takes 6.28 words, so no position repeats exactly, but 44 words later the point is back to within 0.02.',
  note: 'The table has two channels, whatever the dimension of the embeddings. Here it is added to the first two channels, and the others are unchanged.',
};
