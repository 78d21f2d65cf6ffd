import { tex } from './tex-formula.ts';
import type { EncodingWords } from './words.ts';

export const words: EncodingWords = {
  title: 'one sine',
  usedBy: '',
  rank: 7,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{p,c} = \sin(p)`,
  summary:
    'Every channel gets the sine of the position, which stays between −1 and 1 however long the text is. But two positions of one wave share a value, one on the way up and one on the way down.',
  note: 'After 44 words the sine is back to within 0.02 of where it was, after 710 words to within 0.0001.',
};
