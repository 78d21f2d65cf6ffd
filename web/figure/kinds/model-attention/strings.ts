import { formatWholePercent } from '../../../charts/english.ts';
import { formatNumber } from '../../../charts/number.ts';

export const percent = (share: number): string => (share > 0 && share < 0.005 ? '< 1%' : formatWholePercent(share));

const RANGE_NAMES = { layer: 'number of layers', head: 'number of heads per layer', token: 'number of tokens' } as const;
const distanceText = (distance: number): string => {
  if (distance === 0) return 'on the token itself';
  const tokens = `${Math.abs(distance)} ${Math.abs(distance) === 1 ? 'token' : 'tokens'}`;
  return distance > 0 ? `${tokens} back` : `${tokens} ahead`;
};
const rotationText = (wavelength: number): string =>
  Number.isFinite(wavelength) ? `one rotation in ${formatNumber(wavelength)} tokens` : 'no rotation';

export const strings = {
  example: 'Mr. Darcy smiled at Elizabeth, and Elizabeth smiled at Mr. Darcy',
  question: 'What does one head attend to, and why?',
  instruction: 'Select a token.',
  caption:
    'One head of a language model on your text: the tokens that it attends to, its mean weight by distance with and without positions, and the contribution of each rotating channel pair to the scores.',
  labels: { layer: 'layer', head: 'head', text: 'text', token: 'token' },
  help: {
    layer: 'Layer, counted from 1; 0: the layer of the head with the largest weight on the previous token.',
    head: 'Head, counted from 1; 0: the head with the largest weight on the previous token.',
    text: 'Text of 2 to 300 tokens.',
    token: 'Token whose attention weights shade the text, counted from 1; 0: the last token.',
  },
  sentenceTitle: (token: string, layer: number, head: number) => `Attention of “${token}” in layer ${layer + 1}, head ${head + 1}`,
  mapTitle: (layer: number, head: number) => `Layer ${layer + 1}, head ${head + 1}`,
  queryTitle: 'token',
  keyTitle: 'attends to',
  profileTitle: 'Mean weight by distance',
  distanceAxis: 'tokens back',
  signedDistanceAxis: 'tokens ahead (−) and back',
  withPositions: 'with positions',
  withoutPositions: 'without',
  pairsTitle: 'Contribution of each pair to the scores of the attended keys',
  pairsAxis: 'tokens per rotation',
  noPairs: 'There are no pairs to show: the layer has no rotary encoding, or the model has no config.json.',
  describeHead: (layer: number, head: number, distance: number, weight: number) =>
    `Layer ${layer + 1}, head ${head + 1} puts most of its weight ${distanceText(distance)}: ${percent(weight)} on average.`,
  describeHeadWithoutPositions: (weight: number) => `Without positions ${percent(weight)}.`,
  strongestPair: (pair: number, wavelength: number, lift: number) =>
    `Pair ${pair + 1} (${rotationText(wavelength)}) contributes most to the scores of the attended keys: ${formatNumber(lift)}.`,
  pairReadout: (pair: number, wavelength: number, lift: number) =>
    `Pair ${pair + 1}, ${rotationText(wavelength)}: adds ${formatNumber(lift)} to the scores of the attended keys`,
  distanceReadout: (distance: number, weight: number, without: number | undefined) =>
    `Weight ${distanceText(distance)}: ${percent(weight)} on average${without === undefined ? '' : `, ${percent(without)} without positions`}`,
  weightReadout: (query: string, key: string, weight: string) => `“${query}” attends to “${key}” with a weight of ${weight}`,
  sentenceDescription: (tokens: number) => `${tokens} tokens, each shaded by its weight.`,
  removePositions: 'Remove its positions',
  nextHead: 'Next head',
  previousHead: 'Previous head',
  describeModel: (name: string, isShipped: boolean, layers: number, heads: number) =>
    `${isShipped ? 'A small model trained on Jane Austen’s novels' : name}: ${layers} layers with ${heads} heads each.`,
  noModel: 'this page has no language model; the website has one',
  outOfRange: (field: 'layer' | 'head' | 'token', value: number, max: number) =>
    `${field}: ${value} is too large; expected 0 to ${max}, the ${RANGE_NAMES[field]}`,
  proof: {
    quantity:
      'largest difference between the weights and the softmax of the summed channel contributions, or between the profile and the mean weight by distance',
    toleranceSource: 'Float32 rounding in products and weights.',
    passes: 'The channel contributions sum to the scores, and the profile is the mean weight at each distance.',
    fails: 'The channel contributions do not sum to the scores, or the profile is not the mean weight at each distance.',
  },
  profileProof: {
    quantity: 'largest difference between the profile and the mean of the displayed weights at each distance',
    toleranceSource: 'Float32 rounding in weights.',
    passes: 'The profile is the mean weight at each distance.',
    fails: 'The profile is not the mean weight at each distance.',
  },
  tables: {
    attention: 'weights',
    profile: 'mean weight by distance',
    pairs: 'contribution of each pair to the scores of the attended keys',
    pair: 'pair',
    score: 'score',
    line: 'positions',
  },
} as const;
