// Word embeddings. Unknown words have random vectors, which are seeded with a hash of the word.
import type { RemotePhasor, Tensor } from '../engine/index.ts';
import { VECTOR_DIM, type WordVectors } from './word-vectors.ts';

/** Computes a 32-bit hash of a word (FNV-1a). It is the same on every machine. */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(word)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

export interface Embedding {
  /** [words, dim]: the first `dim` components of each word vector. */
  readonly x: Tensor;
  readonly isKnown: readonly boolean[];
}

export type Vocabulary = Pick<WordVectors, 'meanNorm' | 'problem' | 'prepare' | 'vector'>;
type EngineMethods = Pick<RemotePhasor, 'randomNormal'>;

/** Random vectors of unknown words. They are cached per vocabulary. */
const randomVectors = new WeakMap<Vocabulary, Map<string, Float32Array>>();

async function drawRandomVector(word: string, norm: number, phasor: EngineMethods): Promise<Float32Array> {
  const { data } = await phasor.randomNormal({ seed: hashWord(word), shape: [VECTOR_DIM] });
  const scaleFactor = norm / Math.hypot(...data);
  return data.map((value) => value * scaleFactor);
}

export async function embedWords(words: readonly string[], dim: number, vocabulary: Vocabulary, phasor: EngineMethods): Promise<Embedding> {
  await vocabulary.prepare(words);
  const cachedVectors = randomVectors.get(vocabulary) ?? new Map<string, Float32Array>();
  randomVectors.set(vocabulary, cachedVectors);
  const data = new Float32Array(words.length * dim);
  const isKnown: boolean[] = [];
  for (const [position, word] of words.entries()) {
    const lowerCaseWord = word.toLowerCase();
    const wordVector = vocabulary.vector(lowerCaseWord);
    isKnown.push(wordVector !== undefined);
    let vector = wordVector ?? cachedVectors.get(lowerCaseWord);
    if (!vector) {
      vector = await drawRandomVector(lowerCaseWord, vocabulary.meanNorm, phasor);
      cachedVectors.set(lowerCaseWord, vector);
    }
    data.set(vector.subarray(0, dim), position * dim);
  }
  return { x: { shape: [words.length, dim], data }, isKnown };
}
