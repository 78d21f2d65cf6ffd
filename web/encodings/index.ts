import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'index',
  usedBy: '',
  rank: 4,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{p,c} = p`,
  summary:
    'Every channel gets the number of the word: 0, 1, 2 and so on. The numbers grow without end, and after a few words they drown what the words mean.',
  note: 'Some texts count from 0, others from 1. With a mean and a spread far from those of the embeddings, one position soon outweighs all others in the softmax.',
};
