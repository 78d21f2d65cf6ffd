import type { EncodingDescription } from './description.ts';
import { tex } from './tex-formula.ts';

export const description: EncodingDescription = {
  title: 'one sine',
  usedBy: '',
  rank: 7,
  wellKnown: false,
  formula: tex`\mathrm{pe}_{p,c} = \sin(p)`,
  summary:
    'Every channel is the sine of the position, which stays between −1 and 1 for any length. But a value occurs twice per period, once rising and once falling.',
  note: 'No two integer positions have exactly the same sine, but those of positions 8 and 14 are only 0.00125 apart. Every value nearly repeats: after 44 words to within 0.02, after 710 words to within 0.0001.',
};
