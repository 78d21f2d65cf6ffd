import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'index',
  usedBy: '',
  rank: 4,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{p,c} = p`,
  summary:
    'Every channel is the index of the word: 0, 1, 2 and so on. The values are unbounded, and after a few words they dominate the embeddings.',
  note: 'Some tutorials count from 0, others from 1. The mean and variance of the index differ so much from those of the embeddings that one position soon dominates the softmax.',
};
