// Word embeddings. An unknown word gets a fixed random vector, drawn by the core from a seed that is a hash of the word.
import type { RemotePhasor, Tensor } from '../engine/index.ts';
import { VECTOR_WIDTH, type WordVectors } from './word-vectors.ts';

/** A 32-bit hash of a word (FNV-1a), the same on every machine. */
export function wordSeed(word: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(word)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

export interface Embedding {
  /** [words, width]: the first `width` components of each word vector. */
  readonly x: Tensor;
  /** For each word, whether it has a word vector. */
  readonly known: readonly boolean[];
}

const randomVectors = new Map<string, Float32Array>();

async function randomVector(word: string, norm: number, phasor: RemotePhasor): Promise<Float32Array> {
  const { data } = await phasor.gaussian({ seed: wordSeed(word), shape: [VECTOR_WIDTH] });
  const factor = norm / Math.hypot(...data);
  return data.map((value) => value * factor);
}

let last: { readonly words: readonly string[]; readonly width: number; readonly embedding: Embedding } | undefined;

/** The embeddings of words, cached for repeated calls with the same words. */
export async function embedding(words: readonly string[], width: number, vectors: WordVectors, phasor: RemotePhasor): Promise<Embedding> {
  const same = last && last.width === width && last.words.length === words.length && last.words.every((word, at) => word === words[at]);
  if (last && same && !vectors.problem) return last.embedding;
  last = { words, width, embedding: await embed(words, width, vectors, phasor) };
  return last.embedding;
}

/** The embeddings of words in the order given. */
async function embed(words: readonly string[], width: number, vectors: WordVectors, phasor: RemotePhasor): Promise<Embedding> {
  await vectors.prepare(words);
  const data = new Float32Array(words.length * width);
  const known: boolean[] = [];
  for (const [place, word] of words.entries()) {
    const spelling = word.toLowerCase();
    const real = vectors.vector(spelling);
    known.push(real !== undefined);
    let vector = real ?? randomVectors.get(spelling);
    if (!vector) {
      vector = await randomVector(spelling, vectors.meanNorm, phasor);
      randomVectors.set(spelling, vector);
    }
    data.set(vector.subarray(0, width), place * width);
  }
  return { x: { shape: [words.length, width], data }, known };
}
