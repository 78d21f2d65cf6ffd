// Rotates a query and a key by their positions, and computes how much each channel pair contributes to their score. Positions may be
// fractional.
import { entryAt } from '../../charts/entry-at.ts';
import type { EncodingSpec, Tensor } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';

/** A query and a key before rotation, and the encoding that rotates them. */
export interface VectorPair {
  readonly encoding: EncodingSpec;
  /** [dim] */
  readonly query: Float32Array;
  readonly key: Float32Array;
  /** The two channels of each pair. */
  readonly channels: readonly (readonly [number, number])[];
}

export interface RotationState {
  readonly query: number;
  readonly key: number;
  /** [dim], rotated. */
  readonly rotated: { readonly query: Float32Array; readonly key: Float32Array };
  /** [pairs], radians. */
  readonly angles: { readonly query: Float32Array; readonly key: Float32Array };
  /** [pairs], the dot product of the query and the key within each channel pair */
  readonly scores: Float32Array;
  readonly totalScore: number;
}

/** Rotates a vector to each position. Returns [positions, dim]. */
async function rotateVector(
  engine: Engine,
  encoding: EncodingSpec,
  vector: Float32Array,
  role: 'query' | 'key',
  positions: readonly number[],
) {
  const dim = vector.length;
  const data = new Float32Array(positions.length * dim);
  for (let row = 0; row < positions.length; row++) data.set(vector, row * dim);
  return (await engine.applyRotary({ shape: [1, positions.length, dim], data }, { encoding, positions: [...positions], role })).data;
}

/** Converts vectors [rows, dim] to [pairs, rows, 2], so that attention treats each channel pair as a separate head. */
function splitIntoPairHeads(data: Float32Array, channels: VectorPair['channels'], width: number): Tensor {
  const rows = data.length / width;
  const pairs = new Float32Array(channels.length * rows * 2);
  channels.forEach(([a, b], pair) => {
    for (let row = 0; row < rows; row++) {
      pairs[2 * (pair * rows + row)] = entryAt(data, row * width + a);
      pairs[2 * (pair * rows + row) + 1] = entryAt(data, row * width + b);
    }
  });
  return { shape: [channels.length, rows, 2], data: pairs };
}

/** Returns the unscaled scores q · k, [heads, queries, keys]. */
async function computeDotProducts(engine: Engine, q: Tensor, k: Tensor): Promise<Float32Array> {
  const { scores } = await engine.attention({ q, k, v: k, scale: 1, positionOffset: 0, outputs: ['scores'] });
  return scores.data;
}

export async function computeStateAt(
  engine: Engine,
  { encoding, channels, ...vectors }: VectorPair,
  queryPosition: number,
  keyPosition: number,
): Promise<RotationState> {
  const width = vectors.query.length;
  const [q, k, { data: angles }] = await Promise.all([
    rotateVector(engine, encoding, vectors.query, 'query', [queryPosition]),
    rotateVector(engine, encoding, vectors.key, 'key', [keyPosition]),
    engine.rotaryAngles({ encoding, positions: [queryPosition, keyPosition], dim: width }),
  ]);
  const toOneHeadTensor = (data: Float32Array): Tensor => ({ shape: [1, 1, width], data });
  const [scores, totalScore] = await Promise.all([
    computeDotProducts(engine, splitIntoPairHeads(q, channels, width), splitIntoPairHeads(k, channels, width)),
    computeDotProducts(engine, toOneHeadTensor(q), toOneHeadTensor(k)),
  ]);
  const pairs = angles.length / 2;
  return {
    query: queryPosition,
    key: keyPosition,
    rotated: { query: q, key: k },
    angles: { query: angles.slice(0, pairs), key: angles.slice(pairs) },
    scores,
    totalScore: entryAt(totalScore, 0),
  };
}

/**
 * Computes each channel pair's contribution to the score, for a query at several positions and a key at a single one. Returns [pairs,
 * positions].
 */
export async function computeScoresAtPositions(
  engine: Engine,
  { encoding, channels, ...vectors }: VectorPair,
  queryPositions: readonly number[],
  keyPosition: number,
): Promise<Tensor> {
  const width = vectors.query.length;
  const [q, k] = await Promise.all([
    rotateVector(engine, encoding, vectors.query, 'query', queryPositions),
    rotateVector(engine, encoding, vectors.key, 'key', [keyPosition]),
  ]);
  const data = await computeDotProducts(engine, splitIntoPairHeads(q, channels, width), splitIntoPairHeads(k, channels, width));
  return { shape: [channels.length, queryPositions.length], data };
}
