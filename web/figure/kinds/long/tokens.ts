// The tokens of a long sequence: those of a text, or drawn ones that come back after a period.

import type { Tensor } from '../../../engine/index.ts';
import { embedding } from '../../../sentence/embedding.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { VECTOR_WIDTH } from '../../../sentence/word-vectors.ts';
import type { Engine, KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { words } from './strings.ts';

/** Tokens at most, of a text as of drawn ones. */
export const MOST_TOKENS = 65536;

export interface TokenSpec {
  readonly passage: string;
  readonly length: number;
  readonly period: number;
  readonly width: number;
  readonly seed: number;
}

export interface Tokens {
  /** [1, tokens, width] */
  readonly x: Tensor;
  readonly length: number;
  /** Of a text. */
  readonly words: readonly string[] | undefined;
}

/** The vectors of drawn tokens: those of a period come back, so that queries meet keys equal to themselves. */
async function drawn({ length, width, period, seed }: TokenSpec, engine: Engine): Promise<Tensor> {
  const distinct = period === 0 ? length : Math.min(period, length);
  const { data: vectors } = await engine.gaussian({ seed, shape: [distinct, width] });
  const data = new Float32Array(length * width);
  for (let first = 0; first < length; first += distinct)
    data.set(vectors.subarray(0, Math.min(distinct, length - first) * width), first * width);
  return { shape: [1, length, width], data };
}

export async function tokensOf(spec: TokenSpec, { engine, vocabulary }: KindContext): Promise<Tokens> {
  const found = tokenize(spec.passage);
  if (found.length === 0) return { x: await drawn(spec, engine), length: spec.length, words: undefined };
  if (found.length > MOST_TOKENS) throw new SpecError('passage', words.tooLong(found.length, MOST_TOKENS));
  if (spec.width > VECTOR_WIDTH) throw new SpecError('width', words.tooWide(spec.width, VECTOR_WIDTH));
  const { x } = await embedding(found, spec.width, vocabulary, engine);
  return { x: { shape: [1, ...x.shape], data: x.data }, length: found.length, words: found };
}
