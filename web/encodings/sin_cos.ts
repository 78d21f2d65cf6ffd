import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'sine and cosine',
  year: 2017,
  authors: 'nobody in particular; a first step towards Vaswani et al.',
  paper: { title: 'Attention Is All You Need', arxiv: '1706.03762' },
  formula: tex`\mathrm{pe}_p = (\sin(p), \cos(p))`,
  summary:
    'Each position is a point on a circle, one radian further than the one before. Sine and cosine together tell the way up from the way down, but every 6.28 words the circle closes.',
  note: 'The table has two channels whatever the width of the embeddings. It can be set beside them, or be added to embeddings of width 2.',
  pairs: () => [[0, 1]],
};
