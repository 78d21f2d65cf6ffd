import { joinWithAnd } from '../../../charts/english.ts';
import type { Requirement } from './findings.ts';
import type { Quantity } from './sources.ts';

/** Nouns for each quantity: singular, plural, the largest one, and the value for a pair of positions. */
const QUANTITY_NOUNS: {
  readonly [Each in Quantity]: { readonly singular: string; readonly plural: string; readonly longest: string; readonly pairValue: string };
} = {
  vector: { singular: 'vector', plural: 'vectors', longest: 'longest vector', pairValue: 'dot product' },
  key: { singular: 'key', plural: 'keys', longest: 'longest key', pairValue: 'score' },
  bias: { singular: 'biases', plural: 'biases', longest: 'largest biases', pairValue: 'bias' },
};

const COUNT_WORDS = ['None', 'One', 'Two', 'Three', 'Four'];
const precisionText = (value: string): string => (value === '0' ? 'exactly' : `to within ${value}`);

export const strings = {
  question: 'Does an encoding meet five requirements?',
  instruction: 'Choose another encoding to see which requirements fail.',
  caption: 'Five requirements of a positional encoding, each with a measured value and its threshold.',
  names: {
    unique: 'Unique',
    bounded: 'Bounded',
    length: 'Length-independent',
    smooth: 'Smooth',
    relative: 'Relative',
  } as { readonly [Each in Requirement]: string },
  questions: {
    unique: 'Are all positions different?',
    bounded: 'Are norms bounded in a long text?',
    length: 'Are positions the same in a longer text?',
    smooth: 'Is the change per step small?',
    relative: 'Does only the distance matter?',
  } as { readonly [Each in Requirement]: string },
  verdicts: { 1: 'holds', 0: 'does not hold', [-1]: 'does not apply' },
  quantityLabels: {
    unique: () => 'smallest distance',
    bounded: (length: number) => `norm at length ${length}`,
    length: (length: number) => `change at length ${length}`,
    smooth: () => 'largest step',
    relative: () => 'spread per distance',
  },
  thresholdTexts: {
    unique: (threshold: string) => (threshold === '0' ? 'more than 0' : `at least ${threshold}`),
    bounded: (threshold: string) => `at most ${threshold}`,
    length: (threshold: string) => `at most ${threshold}`,
    smooth: (threshold: string) => `less than ${threshold}`,
    relative: (threshold: string) => `at most ${threshold}`,
  } as { readonly [Each in Requirement]: (threshold: string) => string },
  nothingMeasured: 'nothing to measure',
  rejectedLengthLabel: (length: number) => `length ${length} is rejected`,
  heading: {
    vector: (length: number) => `Measured on the vectors that are added at positions 0 to ${length - 1}.`,
    key: (length: number) => `Measured on one key, rotated to each of the positions 0 to ${length - 1}.`,
    bias: (length: number, heads: number, query: number) =>
      `Measured on the biases of ${heads === 1 ? 'one head' : `${heads} heads`} for the same word at positions 0 to ${length - 1}, relative to position ${query}.`,
    noEncoding: 'No position information: the words are an unordered set.',
    randomParams: ' Learned parameters are random here.',
  },
  trackLabels: ['worse', 'limit', 'better'] as const,
  trackNote: 'each tick is a factor of ten',
  title: 'encoding',
  describe: (rows: readonly string[]) => `${rows.join('; ')}.`,
  describeRow: (name: string, verdict: string) => `${name}: ${verdict}`,
  summary: (failingNames: readonly string[], notApplicableCount: number) => {
    if (failingNames.length === 0 && notApplicableCount === 0) return 'All five requirements hold.';
    const holdingCount = 5 - failingNames.length - notApplicableCount;
    const countText = `${COUNT_WORDS[holdingCount]} of the five requirements ${holdingCount < 2 ? 'holds' : 'hold'}`;
    return failingNames.length === 0
      ? `${countText}.`
      : `${countText}; ${joinWithAnd.format(failingNames)} ${failingNames.length === 1 ? 'does' : 'do'} not.`;
  },
  noEncodingSummary: 'None of the five requirements holds: there is no position information.',
  notApplicableSummary: (name: string) => ` ${name} does not apply.`,
  readouts: {
    notApplicable: (name: string) => `${name} does not apply: without position information there is nothing to measure.`,
    rejectedLength: (name: string, verdict: string, length: number, reason: string) =>
      `${name} ${verdict}: a text of ${length} tokens is rejected (${reason}).`,
    equalPositions: (quantity: Quantity, a: number, b: number, queryClause: string) =>
      `Not unique: ${queryClause}positions ${a} and ${b} have exactly the same ${QUANTITY_NOUNS[quantity].singular}, so this encoding cannot distinguish them.`,
    equalSides: (a: number, b: number, queryClause: string) =>
      `Not unique: ${queryClause}positions ${a} and ${b}, one on each side, have exactly the same biases. A causal mask hides one side.`,
    relativeToQuery: (query: number) => `relative to position ${query}, `,
    noEncoding: 'Not unique: without an encoding all positions are the same.',
    unique: (isUnique: boolean, quantity: Quantity, a: number, b: number, value: string, threshold: string, queryClause: string) =>
      `${isUnique ? 'Unique' : 'Not unique'}: ${queryClause}the closest two ${QUANTITY_NOUNS[quantity].plural}, at positions ${a} and ${b}, are ${value} apart. At least ${threshold} is required: 2⁻⁸ of the ${QUANTITY_NOUNS[quantity].longest}, the precision of bfloat16.`,
    bounded: (
      verdict: 'same' | 'slow' | 'grows',
      quantity: Quantity,
      longerLength: number,
      value: string,
      length: number,
      longest: string,
    ) =>
      `${verdict === 'grows' ? 'Not bounded' : 'Bounded'}: in a text of ${longerLength} tokens the norm of the ${QUANTITY_NOUNS[quantity].longest} is ${value}; in a text of ${length} tokens it is ${longest}. ${
        {
          same: 'The norm does not grow with the text.',
          slow: 'The norm grows, but does not double.',
          grows: 'It may at most double.',
        }[verdict]
      }`,
    length: (isLengthIndependent: boolean, quantity: Quantity, length: number, value: string, position: number) =>
      isLengthIndependent
        ? `Length-independent: in a text of ${2 * length} tokens the first ${length} positions have the same ${QUANTITY_NOUNS[quantity].plural}, ${precisionText(value)}.`
        : `Not length-independent: in a text of ${2 * length} tokens, position ${position} differs by ${value} from the same position in a text of ${length} tokens.`,
    smooth: (isSmooth: boolean, quantity: Quantity, a: number, b: number, value: string, threshold: string) =>
      `${isSmooth ? 'Smooth' : 'Not smooth'}: the largest step, from position ${a} to ${b}, changes the ${QUANTITY_NOUNS[quantity].singular} by ${value}. It must be less than the norm of the ${QUANTITY_NOUNS[quantity].longest}, ${threshold}.`,
    relative: (quantity: Quantity, value: string, patchRowClause: string) =>
      `Relative: at each distance the ${QUANTITY_NOUNS[quantity].pairValue} is the same for all pairs, ${precisionText(value)}${patchRowClause}.`,
    notRelative: (quantity: Quantity, first: readonly [number, number], a: string, second: readonly [number, number], b: string) =>
      `Not relative: positions ${first[0]} and ${first[1]} have the ${QUANTITY_NOUNS[quantity].pairValue} ${a}, but positions ${second[0]} and ${second[1]}, at the same distance, have ${b}.`,
    notRelativeToItself: (quantity: Quantity, first: number, a: string, second: number, b: string) =>
      `Not relative: position ${first} has the ${QUANTITY_NOUNS[quantity].pairValue} ${a} with itself, but position ${second} has ${b}.`,
    withinPatchRow: (lineLength: number) => `, within a row of ${lineLength} patches`,
    shiftMatrix: (residual: string) => ` One matrix shifts every position by 1, ${precisionText(residual)}.`,
  },
  columnNames: ['number', 'threshold', 'verdict'],
  tableTitle: 'Requirements (1 = holds, 0 = does not hold, −1 = does not apply)',
  rowTitle: 'requirement',
  columnTitle: 'measured',
  proof: {
    quantity: 'largest change in a value when only the measured positions are computed',
    toleranceSource: 'Float32 rounding in the longest vector.',
    passes: 'The encoding of a position does not depend on the other positions computed with it.',
    fails: 'The encoding of a position depends on the other positions computed with it.',
  },
  noEncodingProof: {
    quantity: 'largest change in any output vector when the words are reversed (outputs matched by word)',
    toleranceSource: 'Float32 rounding in sums over the words.',
    passes: 'Without an encoding, attention does not depend on the order of the words.',
    fails: 'Only the causal mask distinguishes positions.',
  },
  headsNotDivisor: (dim: number, heads: number) => `heads: ${heads} is invalid; expected a divisor of ${dim} (dim)`,
} as const;
