import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'normalised index',
  usedBy: '',
  rank: 5,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{p,c} = \frac{p + 1}{n} \quad\text{or}\quad \frac{p}{n} \quad\text{or}\quad \frac{p}{n - 1}`,
  summary:
    'The index of the word divided by the length of the sequence, so that every sequence spans 0 to 1. Appending a word changes the values of all others, and a step of one word has a different size in every sequence.',
  note: 'Three conventions are in use: (p+1)/n never reaches 0, p/n never reaches 1, and p/(n−1) reaches both but is undefined for a single word, which gets 0 here.',
};
