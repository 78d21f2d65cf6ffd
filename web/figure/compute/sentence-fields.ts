import { wholeNumber } from '../../charts/english.ts';
import { createIdentityOrder, isOrder, type Order } from '../../sentence/order.ts';
import { TOKEN_LIMIT, tokenize } from '../../sentence/tokens.ts';
import { VECTOR_DIM } from '../../sentence/word-vectors.ts';
import { choice, count, encoding, FieldError, number, numbers, type SpecOf, text } from '../contract/fields.ts';

const STRINGS = {
  noWords: 'has no words',
  tooManyWords: (wordCount: number, maxWords: number) =>
    `has ${wholeNumber.format(wordCount)} words and punctuation marks; expected at most ${maxWords}`,
  notOrder: 'does not contain every index exactly once; expected a permutation such as 3,0,1,2',
} as const;

export const EXAMPLE_SENTENCE = 'Rohan killed the lion';

function checkText(input: string): void {
  const { length } = tokenize(input);
  if (length === 0) throw new FieldError(STRINGS.noWords);
  if (length > TOKEN_LIMIT) throw new FieldError(STRINGS.tooManyWords(length, TOKEN_LIMIT));
}

function checkOrder(order: Order): void {
  if (!isOrder(order, order.length)) throw new FieldError(STRINGS.notOrder);
}

export const sentenceField = text(EXAMPLE_SENTENCE, checkText, false);
/** For each position, the index of the word at that position. An empty list means the original order. */
export const createOrderField = (initial: Order = []) => numbers(initial, checkOrder);

export const createLayerFields = (encodingId: string) => ({
  encoding: encoding(encodingId),
  mask: choice('none', 'causal'),
  heads: count(4, 1, VECTOR_DIM),
  projections: choice('identity', 'orthogonal'),
  seed: count(1, 0, 2 ** 32 - 1),
  positionOffset: number(0, -1e6, 1e6, { whole: true }),
  dim: count(VECTOR_DIM, 1, VECTOR_DIM),
});
export type LayerSpec = SpecOf<ReturnType<typeof createLayerFields>>;

/** Fields of an attention layer over words. Its queries and keys may come from a trained model (trained-layer.ts). */
export const createWordLayerFields = (encodingId: string) => ({
  ...createLayerFields(encodingId),
  projections: choice('identity', 'orthogonal', 'trained'),
});
export type WordLayerSpec = SpecOf<ReturnType<typeof createWordLayerFields>>;

/** Replaces the projections of a trained model with the identity. */
export const withoutTrainedProjections = <Spec extends WordLayerSpec>({ projections, ...spec }: Spec) => ({
  ...spec,
  projections: projections === 'trained' ? ('identity' as const) : projections,
});

/** Counted from 1. */
export const headField = count(1, 1, VECTOR_DIM);

/** Returns the zero-based index of the selected head, or of the last head if there are fewer. */
export const clampHeadIndex = ({ head, heads }: { readonly head: number; readonly heads: number }): number => Math.min(head, heads) - 1;

/**
 * Returns the words in their original order, and the index of the word at each position. Ignores an order of a different length, because it
 * belongs to another sentence.
 */
export function splitSentence(input: string, order: Order): { readonly words: readonly string[]; readonly order: Order } {
  const words = tokenize(input);
  return { words, order: order.length === words.length ? order : createIdentityOrder(words.length) };
}
