import { whole } from '../charts/english.ts';

const shapeOf = (shape: readonly number[]): string => shape.join(' x ');

export const words = {
  question: 'What does this attention look at?',
  instruction: 'Point at a cell to read its weight.',
  caption: 'Attention of arrays of your own; with q and k, encoding, mask and window are computed here.',
  missing: 'q: give the arrays q and k, or weights',
  alone: (there: string, missing: string) => `${missing}: it is missing beside ${there}`,
  both: 'weights: there are q and k too; give one or the other',
  noEffect: (name: string) => `${name}: weights are shown as they are; ${name} acts on q and k`,
  rank: (shape: readonly number[]) => `its shape is ${shapeOf(shape)}; [heads, tokens, width] is needed`,
  notSquare: (shape: readonly number[]) => `weights: their shape is ${shapeOf(shape)}; [heads, tokens, tokens] is needed`,
  unlike: (q: readonly number[], k: readonly number[]) =>
    `k: ${shapeOf(k)} does not go with q, ${shapeOf(q)}; tokens and width have to agree`,
  tooMany: (tokens: number, most: number) =>
    `weights: of ${whole.format(tokens)} tokens at once at most ${whole.format(most)} can be shown one by one; set span, or give q and k`,
  tokens: (count: number, needed: number) => `tokens: there are ${whole.format(count)}, and ${whole.format(needed)} in the arrays`,
  outside: (name: string, given: number, most: number) => `${name}: ${whole.format(given)} is outside 0 to ${whole.format(most)}`,
  list: 'it is not a list of words',
  noCode: 'these arrays are in your notebook already',
  title: 'weights',
  query: 'query',
  key: 'key',
  computed: {
    what: 'largest difference between a row of weights and the same row in float64',
    source: 'Rounding of float32: weights are at most 1.',
    holds: 'The weights are those of the formula.',
    amber: 'The weights are not those of the formula.',
  },
  given: {
    what: 'largest difference between the weights of a query, summed, and 1',
    source: 'Rounding of float32, or of the float16 of many models.',
    holds: 'Each query gives away a weight of 1.',
    amber: 'Not each query gives away a weight of 1: some see no key, or these are no attention weights.',
  },
} as const;
