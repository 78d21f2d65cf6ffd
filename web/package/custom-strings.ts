import { whole } from '../charts/english.ts';

const shapeOf = (shape: readonly number[]): string => shape.join(' x ');

export const strings = {
  question: 'Which tokens does each token attend to?',
  instruction: 'Point at a cell to read its weight.',
  caption: 'Attention of your own arrays. From q and k it is computed here, with encoding, mask and window.',
  missing: 'q: missing; expected the arrays q and k, or weights',
  alone: (there: string, missing: string) => `${missing}: missing; it is required with ${there}`,
  both: 'weights: cannot be combined with q and k; expected one or the other',
  noEffect: (name: string) => `${name}: has no effect on weights; ${name} applies to q and k`,
  rank: (shape: readonly number[]) => `its shape is ${shapeOf(shape)}; [heads, tokens, head_dim] is expected`,
  notSquare: (shape: readonly number[]) => `weights: their shape is ${shapeOf(shape)}; [heads, tokens, tokens] is expected`,
  unlike: (q: readonly number[], k: readonly number[]) =>
    `k: shape ${shapeOf(k)} does not match q, ${shapeOf(q)}; tokens and head_dim must be equal`,
  tooMany: (tokens: number, most: number) =>
    `weights: of ${whole.format(tokens)} tokens at most ${whole.format(most)} can be shown individually; set span, or provide q and k`,
  tokens: (count: number, needed: number) => `tokens: there are ${whole.format(count)}, and ${whole.format(needed)} in the arrays`,
  outside: (name: string, provided: number, most: number) => `${name}: ${whole.format(provided)} is outside 0 to ${whole.format(most)}`,
  list: 'it is not a list of words',
  noCode: 'the arrays are already in your notebook',
  title: 'weights',
  query: 'query',
  key: 'key',
  computed: {
    quantity: 'largest difference between a row of weights and the same row in float64',
    toleranceSource: 'Rounding of float32: weights are at most 1.',
    passes: 'The weights are those of the formula.',
    fails: 'The weights are not those of the formula.',
  },
  given: {
    quantity: 'largest difference between the sum of the weights of a query and 1',
    toleranceSource: 'Rounding of float32, or of the float16 of many models.',
    passes: 'Weights of each query sum to 1.',
    fails: 'Weights of some queries do not sum to 1: these have no visible key, or the array is not attention weights.',
  },
} as const;
