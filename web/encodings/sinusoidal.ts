import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'sinusoidal',
  year: 2017,
  authors: 'Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser and Polosukhin',
  paper: { title: 'Attention Is All You Need', arxiv: '1706.03762' },
  usedBy: 'The first Transformer, DistilBERT, XLM, tensor2tensor, fairseq, M2M100, Speech2Text, XGLM',
  rank: 1,
  wellKnown: true,
  formula: tex`\begin{aligned} \mathrm{pe}_{p,2t} &= \sin(p\,\theta_t) \\ \mathrm{pe}_{p,2t+1} &= \cos(p\,\theta_t) \\ \theta_t &= \mathrm{base}^{-2t/d} \end{aligned}`,
  summary:
    'Each position gets a vector of sines and cosines, from high to low frequencies, which is added to the word embedding. Content and position then share the same channels.',
  note: 'The lowest frequency is base^(−(d−2)/d), not 1/base. Sine and cosine alternate in the paper; some implementations put all sines first, and tensor2tensor also spaces the frequencies differently.',
};
