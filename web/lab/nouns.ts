// Names of encodings for use within a sentence, where some titles do not fit.
import { getEncodingTitle } from './descriptions.ts';

const NOUNS: { readonly [id: string]: string } = {
  none: 'no encoding',
  learned: 'learned embeddings',
  sinusoidal: 'the sinusoidal encoding',
  sinusoidal_grid: 'the sinusoidal encoding of a grid',
  index: 'the index',
  normalised_index: 'the normalised index',
  binary: 'binary digits',
  sine: 'one sine',
  sin_cos: 'a sine and a cosine',
  multi_frequency: 'sines and cosines of several frequencies',
  t5: 'the T5 bias',
  relative_bias: 'a relative bias',
  proximal: 'the proximal bias',
  shaw: 'Shaw’s relative positions',
};

export const getEncodingNoun = (id: string): string => (Object.hasOwn(NOUNS, id) ? (NOUNS[id] as string) : getEncodingTitle(id));
