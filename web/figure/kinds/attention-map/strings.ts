import { wholeNumber } from '../../../charts/english.ts';

const rangeText = (from: number, to: number): string =>
  from === to - 1 ? wholeNumber.format(from) : `${wholeNumber.format(from)} to ${wholeNumber.format(to - 1)}`;
const quoteWord = (word: string | undefined): string => (word === undefined ? '' : ` “${word}”`);

export const strings = {
  question: 'Where does attention over thousands of tokens go?',
  instruction: 'Point at the map; press + to zoom in to individual words.',
  caption:
    'Attention over your own long text, or over tokens that repeat periodically. Each cell is the mean of many weights; in a small region, each cell is one weight.',
  labels: {
    passage: 'your text',
    prefixLength: 'prefix',
    window: 'window',
    period: 'period',
    span: 'visible tokens',
    size: 'cells',
  },
  help: {
    passage: 'Up to 65,536 words and punctuation marks; empty: random tokens from the seed.',
    prefixLength: 'Number of leading tokens that all tokens see under a causal mask, as in a prefix language model; 0: none.',
    window: 'Tokens at this distance or farther are masked; 0: no window.',
    period: 'Number of tokens after which the sequence repeats; 0: no repetition.',
    span: 'Number of queries and keys shown; 0: all.',
    size: 'Maximum number of cells along a side of the map.',
  },
  query: 'query',
  key: 'key',
  meanWeight: 'mean weight',
  weight: 'weight',
  regionReadout: (length: number, rows: readonly [number, number], columns: readonly [number, number], cell: number, values: string) =>
    `${wholeNumber.format(length)} tokens, queries ${rangeText(...rows)} and keys ${rangeText(...columns)}, ${
      cell === 1 ? 'one weight per cell' : `${wholeNumber.format(cell)} × ${wholeNumber.format(cell)} weights per cell`
    }: ${values}`,
  cellReadout: (queries: readonly [number, number], keys: readonly [number, number], value: string) =>
    `Queries ${rangeText(...queries)}, keys ${rangeText(...keys)}: mean weight ${value}`,
  weightReadout: (query: number, key: number, value: string, queryWord: string | undefined, keyWord: string | undefined) =>
    `Query ${wholeNumber.format(query)}${quoteWord(queryWord)}, key ${wholeNumber.format(key)}${quoteWord(keyWord)}: weight ${value}`,
  embeddingsTitle: 'embeddings of the words in the text',
  word: 'word',
  channel: 'channel',
  textTooLong: (count: number, max: number) =>
    `passage: has ${wholeNumber.format(count)} words and punctuation marks; expected at most ${wholeNumber.format(max)}`,
  tooLongForPrefix: (count: number, max: number) =>
    `unsupported for ${wholeNumber.format(count)} tokens; expected at most ${wholeNumber.format(max)} tokens with a prefix`,
  dimTooLarge: (width: number, max: number) => `dim: ${width} exceeds the ${max} channels of the word vectors`,
  outOfRange: (index: number, length: number) =>
    `${wholeNumber.format(index)} is out of range; expected 0 to ${wholeNumber.format(length - 1)}`,
  tableTitle: 'mean weights of the cells shown; rows and columns are labelled with the first query and key of each cell',
  proof: {
    quantity: (cells: number) =>
      `largest difference between a cell and the mean of its weights, in ${cells === 1 ? 'one cell' : `${cells} cells`}`,
    toleranceSource: 'Float32 rounding in sums over the weights of a cell, relative to the largest weight.',
    weightQuantity: 'largest difference between a cell and its weight',
    passes: 'The cells are the means of their weights. The full matrix is never stored.',
    fails: 'The cells are not the means of their weights.',
  },
} as const;
