// Creates the token vectors of a long sequence: word embeddings, or random vectors that may repeat.

import type { Tensor } from '../../../engine/index.ts';
import { embedWords } from '../../../sentence/embedding.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { VECTOR_DIM } from '../../../sentence/word-vectors.ts';
import type { Engine, KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { strings } from './strings.ts';

export const MAX_TOKENS = 65536;

export interface TokenSpec {
  readonly passage: string;
  readonly length: number;
  readonly period: number;
  readonly dim: number;
  readonly seed: number;
}

export interface TokenSequence {
  /** [1, tokens, dim] */
  readonly x: Tensor;
  readonly length: number;
  /** The words of the text; undefined for random tokens. */
  readonly words: readonly string[] | undefined;
}

/** Creates random vectors that repeat periodically, so that a query has the same vector as some keys. */
async function createRandomVectors({ length, dim, period, seed }: TokenSpec, engine: Engine): Promise<Tensor> {
  const distinctCount = period === 0 ? length : Math.min(period, length);
  const { data: vectors } = await engine.randomNormal({ seed, shape: [distinctCount, dim] });
  const data = new Float32Array(length * dim);
  for (let blockStart = 0; blockStart < length; blockStart += distinctCount)
    data.set(vectors.subarray(0, Math.min(distinctCount, length - blockStart) * dim), blockStart * dim);
  return { shape: [1, length, dim], data };
}

export async function createTokens(spec: TokenSpec, { engine, vocabulary }: KindContext): Promise<TokenSequence> {
  const tokenWords = tokenize(spec.passage);
  if (tokenWords.length === 0) return { x: await createRandomVectors(spec, engine), length: spec.length, words: undefined };
  if (tokenWords.length > MAX_TOKENS) throw new SpecError('passage', strings.textTooLong(tokenWords.length, MAX_TOKENS));
  if (spec.dim > VECTOR_DIM) throw new SpecError('dim', strings.dimTooLarge(spec.dim, VECTOR_DIM));
  const { x } = await embedWords(tokenWords, spec.dim, vocabulary, engine);
  return { x: { shape: [1, ...x.shape], data: x.data }, length: tokenWords.length, words: tokenWords };
}
