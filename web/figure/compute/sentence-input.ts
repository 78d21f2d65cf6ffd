// Converts a sentence to the input of a layer: its words in position order, and their embeddings.

import type { Tensor } from '../../engine/index.ts';
import { embedWords } from '../../sentence/embedding.ts';
import type { Order } from '../../sentence/order.ts';
import type { KindContext } from '../contract/kind.ts';
import { splitSentence } from './sentence-fields.ts';

export interface SentenceInput {
  readonly words: readonly string[];
  /** For each position, the index of the word at that position. */
  readonly order: Order;
  /** The words in position order. */
  readonly placedWords: readonly string[];
  /** For each word in the original order, whether it has a word vector. */
  readonly hasVector: readonly boolean[];
  /** [words, dim], in the original order. */
  readonly x: Tensor;
  /** Explains why word vectors could not be loaded; undefined if there was no problem. */
  readonly problem: string | undefined;
}

interface SentenceSpec {
  readonly text: string;
  readonly order: Order;
  readonly dim: number;
}

export async function createSentenceInput(
  { text, order: requestedOrder, dim }: SentenceSpec,
  { engine, vocabulary }: KindContext,
): Promise<SentenceInput> {
  const { words, order } = splitSentence(text, requestedOrder);
  const { x, isKnown: hasVector } = await embedWords(words, dim, vocabulary, engine);
  return { words, order, placedWords: order.map((word) => words[word] as string), hasVector, x, problem: vocabulary.problem };
}
