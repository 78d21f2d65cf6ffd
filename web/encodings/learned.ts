import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'learned',
  year: 2017,
  authors: 'Gehring, Auli, Grangier, Yarats and Dauphin',
  paper: { title: 'Convolutional Sequence to Sequence Learning', arxiv: '1705.03122' },
  usedBy: 'BERT, GPT-2, GPT-Neo, ViT, RoBERTa, BART, OPT',
  rank: 2,
  wellKnown: true,
  formula: tex`\mathrm{pe}_p = E_p, \quad E \in \mathbb{R}^{\mathrm{max\_length} \times d}`,
  summary:
    'Every position has its own vector, which is trained with the rest of the model and added to the word embedding, as in BERT, GPT-2 and the vision transformer. Positions beyond the last row of the table are undefined.',
  note: 'Here the table is drawn from N(0, 0.02²), the initialisation of BERT (OpenAI’s GPT-2 draws its positions from N(0, 0.01²)). BART and OPT offset positions by two rows; RoBERTa counts from the row after the padding token.',
};
