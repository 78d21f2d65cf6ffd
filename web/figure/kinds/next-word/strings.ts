import { formatWholePercent } from '../../../charts/english.ts';
import { isolate } from '../../../sentence/direction.ts';
import { WORD_STRINGS } from '../../words/strings.ts';

const BUTTONS: { readonly [id: string]: readonly [name: string, meaning: string] } = {
  none: ['No position', 'only the words'],
  rope: ['RoPE', 'rotates by position'],
  alibi: ['ALiBi', 'penalizes distance'],
  learned: ['Learned', 'a row per position'],
};

export const strings = {
  ...WORD_STRINGS,
  example: 'to be or not to',
  question: 'What comes next?',
  instruction: 'Drag a word to another place.',
  caption:
    'A model of two layers predicts the next word. Ribbons show the attention of the copying head; the arrow below is the previous-token head of the first layer.',
  labels: {},
  percent: formatWholePercent,
  predictionLabel: (word: string | undefined) => (word === undefined ? '?' : word),
  previousWordLabel: 'previous word',
  getButtonTexts: (id: string): readonly [name: string, meaning: string] => BUTTONS[id] ?? [id, 'encoding of this figure'],
  offeredEncodings: Object.keys(BUTTONS),
  encodingsLabel: 'Positional encoding',
  textPlaceholder: 'Your own words',
  aboutButton: 'What is this?',
  moveButton: (word: string) => `Move “${word}”`,
  prediction: (word: string, share: number) => `“${isolate(word)}”, ${formatWholePercent(share)}.`,
  guessLabel: (word: string, share: number) => `${isolate(word)} ${formatWholePercent(share)}`,
  correctRemark: (last: string) => `It came after “${last}” the last time.`,
  wrongRemark: (last: string, next: string) => `The previous “${last}” was followed by “${next}”.`,
  noPositionsRemark: 'Without positions the model reads the words, but hardly their order.',
  newWordRemark: (last: string) => `“${last}” is new, so there is nothing to copy.`,
  noRepeatedWord: 'No word occurs twice, so there is nothing to copy.',
  omittedWordsNote: (omittedCount: number) =>
    `The model reads at most 64 words, at most 26 of them distinct: the first ${omittedCount === 1 ? 'word is' : `${omittedCount} words are`} omitted.`,
  defaultParamsNote: 'The model was trained with the default parameters of its encoding.',
  modelNote: (steps: number, seed: number) =>
    `A model of two layers and four heads, trained for ${steps.toLocaleString('en')} steps to copy symbols (seed ${seed}). Your words are its symbols.`,
  description: (text: string, guesses: string) => `After “${text}” the model predicts ${guesses}.`,
  pictureTitle: (text: string) => `The next word after “${text}”`,
  weightReadout: (word: string, weight: string, head: number) => `Head ${head} of layer 2 gives “${word}” a weight of ${weight}`,
  unreadWordReadout: (word: string) => `The model does not read “${word}”`,
  guessesReadout: (guesses: string) => `Next: ${guesses}`,
  noModels: 'this page includes no trained models; the website and the package phasor-models include all of them',
  proof: {
    quantity: 'largest difference between the sum of a row of weights and 1, or largest weight on a later word',
    toleranceSource: 'float32 rounding: a row has at most 64 weights, each at most 1',
    passes: 'Every row of weights sums to 1, and no word attends to a later word.',
    fails: 'A row of weights does not sum to 1, or a word attends to a later word.',
  },
  tables: {
    guesses: 'probability of each word',
    weights: 'weights of the last word in the copying head',
    previous: 'weight of each word on the previous word, in the previous-token head',
    word: 'word',
    probability: 'probability',
    weight: 'weight',
  },
} as const;
