import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'sine and cosine',
  usedBy: '',
  rank: 8,
  wellKnown: false,
  formula: tex`\mathrm{pe}_p = (\sin(p), \cos(p))`,
  summary:
    'Each position is a point on a circle, one radian further than the one before. Sine and cosine together tell the way up from the way down, but every 6.28 words the circle closes.',
  note: 'The table has two channels whatever the width of the embeddings. Here it is added to the first two channels, and the others keep the word alone.',
  pairs: () => [[0, 1]],
};
