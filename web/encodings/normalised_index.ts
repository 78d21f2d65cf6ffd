import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'normalised index',
  usedBy: '',
  rank: 5,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{p,c} = \frac{p + 1}{n} \quad\text{or}\quad \frac{p}{n} \quad\text{or}\quad \frac{p}{n - 1}`,
  summary:
    'The number of the word divided by the length of the text, so that every text runs from 0 to 1. One word more moves the value of all others, and one step means another distance in every text.',
  note: 'Three conventions are in use: (p+1)/n never reaches 0, p/n never reaches 1, and p/(n−1) reaches both but has no answer for a single word, which gets 0 here.',
};
