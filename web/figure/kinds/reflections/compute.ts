// Transforms a key by each following word. The queries are unit vectors, so the core's scores are the channels of the key.

import { entryAt } from '../../../charts/entry-at.ts';
import { largestDifference } from '../../../charts/grid.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { Engine } from '../../contract/kind.ts';

/** Keys and directions have two channels, so that they can be drawn. */
const DIM = 2;
const ENCODING = { id: 'path', normalise_w: false } as const;

export interface TransformedKey {
  /** [1 + words, 2]: the original key, followed by the key after each word. */
  readonly keys: Tensor;
  /** Largest difference between `keys` and the same keys computed one word at a time. */
  readonly residual: number;
}

/** Returns the original key, followed by the key after each word. `directions` contains unit vectors, [words, 2]. */
async function transformKey(key: ArrayLike<number>, directions: ArrayLike<number>, beta: number, engine: Engine): Promise<Float32Array> {
  const tokens = 1 + directions.length / DIM;
  const repeatVector = (vector: ArrayLike<number>) =>
    Float32Array.from({ length: DIM * tokens }, (_, index) => entryAt(vector, index % DIM));
  // [2, tokens, 2]: in head c, every query is the unit vector e_c.
  const q = { shape: [DIM, tokens, DIM], data: Float32Array.from([...repeatVector([1, 0]), ...repeatVector([0, 1])]) };
  const k = { shape: [1, tokens, DIM], data: repeatVector(key) };
  // The direction of the first token has no effect, because there is no earlier key.
  const w = { shape: [1, tokens, DIM], data: Float32Array.from([1, 0, ...Array.from(directions)]) };
  const tokenTensors = { w, beta: { shape: [1, tokens], data: new Float32Array(tokens).fill(beta) } };
  const { scores } = await engine.attention({
    q,
    k,
    v: k,
    mask: 'causal',
    encoding: ENCODING,
    tokenTensors,
    scale: 1,
    outputs: ['scores'],
  });
  const keys = new Float32Array(DIM * tokens);
  for (let token = 0; token < tokens; token++)
    for (let channel = 0; channel < DIM; channel++) keys[token * DIM + channel] = entryAt(scores.data, (channel * tokens + token) * tokens);
  return keys;
}

export async function transformKeyByWords(
  key: ArrayLike<number>,
  directions: Float32Array,
  beta: number,
  engine: Engine,
): Promise<TransformedKey> {
  const data = await transformKey(key, directions, beta, engine);
  const keysByStep = data.slice();
  for (let offset = 0; offset < directions.length; offset += DIM) {
    const nextKeys = await transformKey(keysByStep.subarray(offset, offset + DIM), directions.subarray(offset, offset + DIM), beta, engine);
    keysByStep.set(nextKeys.subarray(DIM), offset + DIM);
  }
  return { keys: { shape: [data.length / DIM, DIM], data }, residual: largestDifference(data, keysByStep) };
}
