// Computes how RoPE changes scores with distance, for equal and for unrelated vectors, and the bound of RoFormer (Su et al. 2021, section
// 3.4.3).
import type { Tensor } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';

/** Number of random queries whose squared scores are averaged. They are independent of the key. */
export const NUM_QUERIES = 256;
/** Standard deviation with which the core initializes learned tables. */
export const INITIAL_STD = 0.02;

export interface DecayResults {
  /** [distances, 3]: the score of equal vectors, the bound, and the root mean square score of unrelated vectors. */
  readonly decay: Tensor;
  /** Largest difference between the first column and the mean cosine of the angles. */
  readonly residual: number;
}

interface DecayRequest {
  readonly encoding: EncodingSpec;
  readonly dim: number;
  readonly length: number;
  readonly seed: number;
}

/**
 * Returns the mean magnitude of the partial sums of e^(i angle), starting with the fastest pair. It is 1 if all angles
 * are 0.
 */
function computeRoformerBound(angles: ArrayLike<number>): number {
  let [cosine, sine, magnitudeSum] = [0, 0, 0];
  for (let pair = 0; pair < angles.length; pair++) {
    cosine += Math.cos(angles[pair] as number);
    sine += Math.sin(angles[pair] as number);
    magnitudeSum += Math.hypot(cosine, sine);
  }
  return (2 * magnitudeSum) / (angles.length * (angles.length + 1));
}

function computeMeanCosine(angles: ArrayLike<number>): number {
  let cosineSum = 0;
  for (let pair = 0; pair < angles.length; pair++) cosineSum += Math.cos(angles[pair] as number);
  return cosineSum / angles.length;
}

export async function computeDecay({ encoding, dim, length, seed }: DecayRequest, engine: Engine): Promise<DecayResults> {
  const angles = await engine.rotaryAngles({ encoding, length, dim });
  const positions = Array.from({ length }, (_, position) => position);
  /**
   * Computes scores [queries, length]. Every query [dim] is at position 0, and the key is repeated at each position.
   */
  const computeScores = async (queries: Float32Array, key: Float32Array): Promise<Float32Array> => {
    const queryCount = queries.length / dim;
    const keys = new Float32Array(length * dim);
    for (const position of positions) keys.set(key, position * dim);
    const { scores } = await engine.attention({
      q: { shape: [1, queryCount, dim], data: queries },
      k: { shape: [1, length, dim], data: keys },
      v: { shape: [1, length, 1], data: new Float32Array(length) },
      encoding,
      queryPositions: new Array(queryCount).fill(0),
      keyPositions: positions,
      scale: 1,
      outputs: ['scores'],
    });
    return scores.data;
  };
  const ones = new Float32Array(dim).fill(1);
  const equalScores = await computeScores(ones, ones);
  const randomVectors = await engine.positionTable({
    encoding: { id: 'learned', seed, max_length: NUM_QUERIES + 1 },
    length: NUM_QUERIES + 1,
    dim,
  });
  const key = randomVectors.data.subarray(NUM_QUERIES * dim);
  const unrelatedScores = await computeScores(randomVectors.data.subarray(0, NUM_QUERIES * dim), key);
  // The expected sum of squared scores over all queries if their values are independent.
  const expectedSquare = NUM_QUERIES * INITIAL_STD * INITIAL_STD * key.reduce((sum, value) => sum + value * value, 0);
  const data = new Float32Array(3 * length);
  const pairCount = angles.shape[1] as number;
  let residual = 0;
  for (const distance of positions) {
    const row = angles.data.subarray(distance * pairCount, (distance + 1) * pairCount);
    let squareSum = 0;
    for (let query = 0; query < NUM_QUERIES; query++) squareSum += (unrelatedScores[query * length + distance] as number) ** 2;
    const score = (equalScores[distance] as number) / dim;
    data.set([score, computeRoformerBound(row), Math.sqrt(squareSum / expectedSquare)], 3 * distance);
    residual = Math.max(residual, Math.abs(score - computeMeanCosine(row)));
  }
  return { decay: { shape: [length, 3], data }, residual };
}
