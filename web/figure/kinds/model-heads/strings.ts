import { formatWholePercent } from '../../../charts/english.ts';
import { formatNumber } from '../../../charts/number.ts';
import { isolate } from '../../../sentence/direction.ts';
import type { MeasureId } from './compute.ts';

/** Each measure's title, and a predicate for a sentence such as "Layer 1, head 2 …". */
const MEASURE_TEXTS: { readonly [Id in MeasureId]: readonly [title: string, predicate: (value: number) => string] } = {
  previous: ['Weight on the previous token', (value) => `puts ${formatWholePercent(value)} of its weight on the previous token`],
  first: ['Weight on the first token', (value) => `puts ${formatWholePercent(value)} of its weight on the first token`],
  duplicate: [
    'Weight on earlier occurrences',
    (value) => `puts ${formatWholePercent(value)} of the weight of a repeated token on its earlier occurrences`,
  ],
  induction: [
    'Weight on tokens after earlier occurrences (induction)',
    (value) => `puts ${formatWholePercent(value)} of the weight of a repeated token on the tokens after its earlier occurrences`,
  ],
  distance: ['Mean attention distance, in tokens', (value) => `attends ${formatNumber(value)} tokens back on average`],
  entropy: ['Entropy of the weights, in nats', (value) => `has weights with an entropy of ${formatNumber(value)} nats`],
  share_of_distance: [
    'Score variance explained by distance',
    (value) => `has ${formatWholePercent(value)} of its score variance explained by distance`,
  ],
  use_of_position: [
    'Change in the weights without positions, in nats',
    (value) => `has weights that differ by ${formatNumber(value)} nats from those without positions`,
  ],
};

const formatHeadName = (layer: number, head: number): string => `layer ${layer + 1}, head ${head + 1}`;

export const strings = {
  example: 'Mr. Darcy smiled at Elizabeth, and Elizabeth smiled at Mr.',
  question: 'What does each head of a model do with position?',
  instruction: 'Select a square.',
  caption:
    'Each square is one head of a language model, coloured by a measure of its attention on your text. The strongest heads are shown beside the squares; the selected head is below.',
  labels: { text: 'text', headMeasure: 'measure', sorted: 'sorted', layer: 'layer', head: 'head' },
  help: {
    text: '2 to 300 tokens of the model’s tokenizer. Repeated words reveal heads that copy.',
    headMeasure: 'The measure of attention that the colours of the squares show.',
    sorted: 'The order of the heads: by the measure, or by layer and number.',
    layer: 'The layer of the large attention map, counted from 1; 0 selects the layer of the head with the largest measure.',
    head: 'The head of the large attention map, counted from 1; 0 selects the head with the largest measure.',
  },
  measures: {
    previous: 'previous token',
    first: 'first token',
    duplicate: 'earlier occurrences',
    induction: 'tokens after earlier occurrences (induction)',
    distance: 'mean distance',
    entropy: 'spread (entropy)',
    share_of_distance: 'share explained by distance',
    use_of_position: 'use of position',
  },
  showHead: 'Show this head',
  measureTitle: (measure: MeasureId) => MEASURE_TEXTS[measure][0],
  shortHeadName: (layer: number, head: number) => `${layer + 1}.${head + 1}`,
  layerLabel: (layer: number) => `layer ${layer + 1}`,
  headLabel: (head: number) => String(head + 1),
  strongestTitle: 'Strongest heads, as layer.head',
  weightsTitle: (layer: number, head: number) => `Attention of ${formatHeadName(layer, head)}`,
  describeHead: (layer: number, head: number, measure: MeasureId, value: number) => {
    const name = formatHeadName(layer, head);
    return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${MEASURE_TEXTS[measure][1](value)}.`;
  },
  describeNextTokens: (guesses: readonly { readonly text: string; readonly probability: number }[]) =>
    guesses.length === 0
      ? ''
      : `Next token: ${guesses.map(({ text, probability }) => `“${isolate(text.replaceAll('\n', '↵'))}” ${formatWholePercent(probability)}`).join(', ')}.`,
  describeModel: (name: string, isShipped: boolean, layers: number, heads: number, tokens: number) =>
    `${isShipped ? 'A small model trained on Jane Austen’s novels' : name}: ${layers} layers of ${heads} heads; the text has ${tokens} tokens.`,
  positionsNote: (sentence: string) => `From config.json: ${sentence}`,
  weightReadout: (query: string, key: string, weight: string) => `“${query}” attends to “${key}” with a weight of ${weight}`,
  boardDescription: (heads: number, layers: number) => `A square for each of ${heads} heads in ${layers} layers.`,
  keyTitle: 'attends to',
  queryTitle: 'token',
  noModel: 'this page has no language model; the website has one',
  layerOutOfRange: (layer: number, layers: number) => `layer: ${layer} is too large; expected 0 to ${layers}, the number of layers`,
  headOutOfRange: (head: number, heads: number) => `head: ${head} is too large; expected 0 to ${heads}, the number of heads per layer`,
  noRepeatedToken: 'headMeasure: no token of the text occurs twice; expected a text with a repeated word, or another measure',
  cannotRemovePositions: 'headMeasure: positions added to the embeddings cannot be removed from a single head; expected another measure',
  proof: {
    quantity: 'largest difference between the selected head’s measures and those recomputed from its weights',
    toleranceSource: 'float32 rounding in sums over the tokens, relative to 1 + |measure|',
    passes: 'The measures of the selected head match its weights.',
    fails: 'The measures of the selected head do not match its weights.',
  },
  tables: {
    layer: 'layer',
    head: 'head',
    attention: 'weights of the selected head',
    chosenMeasures: 'measures of the selected head',
    measure: 'measure',
    value: 'value',
    measures: ['weight on the previous token', 'weight on the first token', 'mean distance', 'entropy'],
  },
} as const;
