import { joinWithAnd, wholeNumber } from '../../../charts/english.ts';

const formatShape = (shape: readonly number[]): string => shape.join(' x ');
const rangeText = (begin: number, end: number): string =>
  begin === end - 1 ? wholeNumber.format(begin) : `${wholeNumber.format(begin)} to ${wholeNumber.format(end - 1)}`;
interface HeadSelection {
  readonly layers: number;
  readonly layer: number;
  readonly head: number;
}
const quoteWord = (word: string | undefined): string => (word === undefined ? '' : ` “${word}”`);

export const strings = {
  question: 'Which tokens does each token attend to?',
  instruction: 'Open a file with your own arrays, or point at a cell to read its weight.',
  caption:
    'Attention from your own arrays: weights [heads, queries, keys], or q and k. Encoding, mask and window apply to q and k. Without arrays, random vectors are shown.',
  labels: { layers: 'layers', layer: 'layer', head: 'head', window: 'window', span: 'visible tokens', size: 'cells' },
  help: {
    layers: 'Number of layers in the arrays; the first axis lists their heads layer by layer.',
    layer: 'The index of the layer, from 0.',
    head: 'The index of the head, from 0.',
    window: 'Keys at this distance or farther are masked; 0: no window.',
    span: 'Number of queries and keys shown; 0: all.',
    size: 'Maximum number of cells along each side of the picture.',
  },
  previousLayer: 'Previous layer',
  nextLayer: 'Next layer',
  previousHead: 'Previous head',
  nextHead: 'Next head',
  missingArrays: 'q: missing; expected the arrays q and k, or weights',
  missingPartner: (provided: string, missing: string) => `${missing}: missing; required together with ${provided}`,
  needsArrays: (name: string) => `${name}: has no effect without arrays; expected q and k, or weights`,
  conflictingArrays: 'weights: cannot be combined with q and k; expected either weights or q and k',
  noEffectOnWeights: (name: string) => `${name}: has no effect on provided weights; ${name} applies only to q and k`,
  wrongRank: (shape: readonly number[], axes: string) => `has shape ${formatShape(shape)}; expected ${axes}`,
  notFiniteEntries: 'has entries that are not finite numbers',
  ambiguousArrays: (names: readonly string[]) =>
    `the file has the arrays ${joinWithAnd.format(names)}; expected q and k, weights, or a single array`,
  differentHeadDims: (queryShape: readonly number[], keyShape: readonly number[]) =>
    `k: has shape ${formatShape(keyShape)}, q has shape ${formatShape(queryShape)}; expected the same head_dim`,
  invalidLayerCount: (layerCount: number, headCount: number) =>
    `layers: ${layerCount} is invalid; expected a divisor of ${headCount} (the number of heads in the arrays)`,
  invalidKeyHeadCount: (queryHeadCount: number, keyHeadCount: number) =>
    `k: has ${keyHeadCount} heads; expected a divisor of ${queryHeadCount} (the number of heads in q)`,
  tooManyTokens: (tokenCount: number, max: number) =>
    `weights: ${wholeNumber.format(tokenCount)} tokens are too many; expected at most ${wholeNumber.format(max)}, a smaller span, or q and k`,
  wrongWordCount: (name: string, wordCount: number, tokenCount: number) =>
    `${name}: has ${wholeNumber.format(wordCount)} words; expected ${wholeNumber.format(tokenCount)}, one per token`,
  outOfRange: (name: string, index: number, max: number) =>
    `${name}: ${wholeNumber.format(index)} is out of range; expected 0 to ${wholeNumber.format(max)}`,
  notStringList: 'is not a list of strings; expected one word per token',
  exampleNote: 'Random vectors as queries and keys',
  withHead({ layers, layer, head }: HeadSelection, heads: number, sentence: string): string {
    const headTexts = [
      ...(layers === 1 ? [] : [`layer ${layer} (0 to ${layers - 1})`]),
      ...(heads === 1 ? [] : [`head ${head} (0 to ${heads - 1})`]),
    ];
    if (headTexts.length === 0) return sentence;
    const prefix = headTexts.join(', ').replace(/^[a-z]/, (letter) => letter.toUpperCase());
    return `${prefix}: ${sentence.replace(/^[A-Z]/, (letter) => letter.toLowerCase())}`;
  },
  regionReadout: (rows: readonly [number, number], columns: readonly [number, number], cell: number, values: string) =>
    `Queries ${rangeText(...rows)} and keys ${rangeText(...columns)}, ${
      cell === 1 ? 'one weight per cell' : `${wholeNumber.format(cell)} × ${wholeNumber.format(cell)} weights per cell`
    }: ${values}`,
  cellReadout: (queries: readonly [number, number], keys: readonly [number, number], value: string) =>
    `Queries ${rangeText(...queries)}, keys ${rangeText(...keys)}: mean weight ${value}`,
  weightReadout: (query: number, key: number, value: string, queryWord: string | undefined, keyWord: string | undefined) =>
    `Query ${wholeNumber.format(query)}${quoteWord(queryWord)}, key ${wholeNumber.format(key)}${quoteWord(keyWord)}: weight ${value}`,
  weightsTitle: ({ layers, layer, head }: HeadSelection) => `Weights of head ${head}${layers === 1 ? '' : ` of layer ${layer}`}`,
  weight: 'weight',
  meanWeight: 'mean weight',
  query: 'query',
  key: 'key',
  computedProof: {
    quantity: 'largest difference between a row of weights and the same row in float64',
    toleranceSource: 'Float32 rounding: weights are at most 1.',
    passes: 'The weights agree with softmax attention in float64.',
    fails: 'The weights do not agree with softmax attention in float64.',
  },
  providedProof: {
    quantity: 'largest difference between 1 and the sum of a query’s weights',
    toleranceSource: 'Rounding to float32, or to float16 as in many models.',
    passes: 'Weights of each query sum to 1.',
    fails: 'Weights of some queries do not sum to 1: these queries have no visible key, or the array does not contain attention weights.',
  },
} as const;
