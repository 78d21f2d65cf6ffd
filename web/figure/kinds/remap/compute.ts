// The remapped distance between each pair of tokens, checked against attention scores.

import { entryAt } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';

export interface Distances {
  /** [queries, keys]: the remapped distance in tokens; NaN for hidden keys. */
  readonly distances: Tensor;
  /**
   * Largest difference between a score and plain RoPE's score at the remapped distance. Queries and keys are vectors of
   * ones, and scores are scaled to 1 at distance 0.
   */
  readonly residual: number;
}

interface DistanceRequest {
  readonly encoding: EncodingSpec;
  readonly length: number;
  readonly dim: number;
}

/** Removes `remap`, so that scores depend only on the distance i - j. */
const withoutRemap = ({ remap: _, ...encoding }: EncodingSpec): EncodingSpec => encoding;

export async function computeDistances({ encoding, length, dim }: DistanceRequest, engine: Engine): Promise<Distances> {
  const positions = Array.from({ length }, (_, position) => position);
  const allDistances = await engine.ropeDistances({ encoding, dim, queryPositions: positions, keyPositions: positions });
  /** [1, count, dim]: vectors of ones. */
  const ones = (count: number) => ({ shape: [1, count, dim], data: new Float32Array(count * dim).fill(1) });
  const zeros = (count: number) => ({ shape: [1, count, 1], data: new Float32Array(count) });
  const request = { q: ones(length), k: ones(length), v: zeros(length), encoding, scale: 1 / dim, outputs: ['scores'] } as const;
  const { scores } = await engine.attention({ ...request, mask: 'causal' });
  const distances = Float32Array.from(allDistances.data, (distance, pairIndex) =>
    scores.data[pairIndex] === Number.NEGATIVE_INFINITY ? Number.NaN : distance,
  );
  const distinctDistances = [...new Set(distances)].filter((distance) => !Number.isNaN(distance));
  const plainAttention = await engine.attention({
    ...request,
    q: ones(distinctDistances.length),
    k: ones(1),
    v: zeros(1),
    encoding: withoutRemap(encoding),
    queryPositions: distinctDistances,
    keyPositions: [0],
  });
  const scoreByDistance = new Map(distinctDistances.map((distance, index) => [distance, entryAt(plainAttention.scores.data, index)]));
  let residual = 0;
  distances.forEach((distance, pairIndex) => {
    const expectedScore = scoreByDistance.get(distance);
    if (expectedScore !== undefined) residual = Math.max(residual, Math.abs(entryAt(scores.data, pairIndex) - expectedScore));
  });
  return { distances: { shape: [length, length], data: distances }, residual };
}
