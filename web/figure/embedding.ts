// Words as vectors. A word without one gets a fixed random vector, drawn by the core from a number made of its letters.
import type { RemotePhasor, Tensor } from '../engine/index.ts';
import { VECTOR_WIDTH, type WordVectors } from './word-vectors.ts';

/** A whole number below 2^32 from the letters of a word (FNV-1a), the same on every machine. */
export function wordSeed(word: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(word)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

export interface Embedding {
  /** [words, width]: the first `width` numbers of each word's vector. */
  readonly x: Tensor;
  /** For each word, whether its vector is known. */
  readonly known: readonly boolean[];
}

const invented = new Map<string, Float32Array>();

async function invent(word: string, norm: number, phasor: RemotePhasor): Promise<Float32Array> {
  const { data } = await phasor.gaussian({ seed: wordSeed(word), shape: [VECTOR_WIDTH] });
  const factor = norm / Math.hypot(...data);
  return data.map((value) => value * factor);
}

let last: { readonly words: readonly string[]; readonly width: number; readonly embedding: Embedding } | undefined;

/** The embeddings of words as `embed` makes them; the same words again are not looked up again. */
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
    let vector = real ?? invented.get(spelling);
    if (!vector) {
      vector = await invent(spelling, vectors.meanNorm, phasor);
      invented.set(spelling, vector);
    }
    data.set(vector.subarray(0, width), place * width);
  }
  return { x: { shape: [words.length, width], data }, known };
}
