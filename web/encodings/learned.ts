import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'learned',
  year: 2017,
  authors: 'Gehring, Auli, Grangier, Yarats and Dauphin',
  paper: { title: 'Convolutional Sequence to Sequence Learning', arxiv: '1705.03122' },
  usedBy: 'BERT, GPT-2, GPT-Neo, ViT, RoBERTa, BART, OPT',
  rank: 2,
  wellKnown: true,
  formula: tex`\mathrm{pe}_p = E_p, \quad E \in \mathbb{R}^{\mathrm{max\_length} \times d}`,
  summary:
    'Every position has a vector of its own, which is trained with the rest of the model and added to the word. BERT, GPT-2 and the vision transformer do this; past the last row of the table there is no answer.',
  note: 'The table is drawn here from N(0, 0.02), as BERT and GPT-2 begin. BART and OPT read it two rows further, RoBERTa counts from the row after the padding token.',
};
