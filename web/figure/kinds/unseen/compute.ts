// Computes, for each method, the rotations in a text longer than the training texts, and the attention of a query to
// equal keys.

import { entryAt } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { Engine } from '../../contract/kind.ts';
import { createMethodEncoding, type LengthSettings, type MethodId } from './methods.ts';

export interface UnseenResults {
  readonly methods: readonly MethodId[];
  /** Length of the text in tokens. */
  readonly length: number;
  /**
   * [methods, distances]: fraction of pairs whose rotation between the key and the last query does not occur in
   * training. NaN for masked keys.
   */
  readonly unseenFractions: Tensor;
  /** [methods, distances]: distance to the key after remapping. NaN for masked keys. */
  readonly usedDistances: Tensor;
  /** [methods, distances]: attention weight of the key if the query and all keys are equal. */
  readonly weights: Tensor;
  /** [methods, distances]: `weights` divided by uniform attention over the visible keys. */
  readonly relativeWeights: Tensor;
  /** [methods]: mean fraction of unseen angles over all queries and their visible keys. */
  readonly unseenMeans: Tensor;
  /** Largest difference between the score of equal vectors and its expected value at the remapped distance. */
  readonly residual: number;
}

interface UnseenRequest extends LengthSettings {
  readonly methods: readonly MethodId[];
  readonly dim: number;
}

/** Tolerance for float32 rounding of the frequencies. */
const FREQUENCY_TOLERANCE = 1e-6;

const isVisible = (score: number): boolean => score !== Number.NEGATIVE_INFINITY;

/**
 * Returns the fraction of pairs whose angle at a distance does not occur in training. Pairs that completed a rotation
 * in training have covered all angles; other pairs have covered only the angles up to the trained length.
 */
function computeUnseenFraction(distance: number, frequencies: Float32Array, originalFrequencies: Float32Array, trained: number): number {
  const unseenPairs = originalFrequencies.filter((frequency, pair) => {
    const trainedAngle = trained * frequency;
    return trainedAngle < 2 * Math.PI && distance * entryAt(frequencies, pair) > trainedAngle * (1 + FREQUENCY_TOLERANCE);
  });
  return unseenPairs.length / originalFrequencies.length;
}

async function measureMethod(
  method: MethodId,
  { trained, factor, dim }: Omit<UnseenRequest, 'methods'>,
  originalFrequencies: Float32Array,
  engine: Engine,
) {
  const encoding = createMethodEncoding(method, { trained, factor });
  const length = trained * factor;
  const positions = Array.from({ length }, (_, position) => position);
  const ones = (count: number): Tensor => ({ shape: [1, count, dim], data: new Float32Array(count * dim).fill(1) });
  const keys = { k: ones(length), v: { shape: [1, length, 1], data: new Float32Array(length) }, encoding, mask: 'causal' } as const;
  const [distances, { invFreq, attentionFactor }, fullAttention, lastAttention] = await Promise.all([
    engine.ropeDistances({ encoding, dim, queryPositions: positions, keyPositions: positions }),
    engine.ropeFrequencies({ encoding, dim }),
    engine.attention({ ...keys, q: ones(length), scale: 1 / dim, outputs: ['scores'] }),
    engine.attention({ ...keys, q: ones(1), outputs: ['weights'] }),
  ]);
  const maxDistance = distances.data.reduce((maximum, distance) => Math.max(maximum, distance), 0);
  // [maxDistance + 1]: fraction of unseen rotations by distance.
  const fractionsByDistance = Float64Array.from({ length: maxDistance + 1 }, (_, distance) =>
    computeUnseenFraction(distance, invFreq.data, originalFrequencies, trained),
  );
  const scores = Float64Array.from({ length: maxDistance + 1 }, (_, distance) => {
    const cosineSum = invFreq.data.reduce((sum, frequency) => sum + Math.cos(distance * frequency), 0);
    return (attentionFactor ** 2 * cosineSum) / invFreq.data.length;
  });
  let [sum, visibleCount, residual] = [0, 0, 0];
  fullAttention.scores.data.forEach((score, cell) => {
    if (!isVisible(score)) return;
    const distance = entryAt(distances.data, cell);
    sum += entryAt(fractionsByDistance, distance);
    visibleCount++;
    residual = Math.max(residual, Math.abs(score - entryAt(scores, distance)));
  });
  // The cells of the last query, from the nearest key to the farthest.
  const cells = Array.from({ length }, (_, distance) => length * length - 1 - distance);
  const keyDistances = cells.map((cell) =>
    isVisible(entryAt(fullAttention.scores.data, cell)) ? entryAt(distances.data, cell) : Number.NaN,
  );
  const weights = keyDistances.map((usedDistance, distance) =>
    Number.isNaN(usedDistance) ? Number.NaN : entryAt(lastAttention.weights.data, length - 1 - distance),
  );
  const visibleKeyCount = keyDistances.filter((distance) => !Number.isNaN(distance)).length;
  return {
    keyDistances,
    unseen: keyDistances.map((distance) => (Number.isNaN(distance) ? Number.NaN : entryAt(fractionsByDistance, distance))),
    weights,
    relativeWeights: weights.map((weight) => weight * visibleKeyCount),
    unseenMean: sum / visibleCount,
    residual,
  };
}

export async function computeUnseenRotations(request: UnseenRequest, engine: Engine): Promise<UnseenResults> {
  const { methods, trained, factor, dim } = request;
  const length = trained * factor;
  const { invFreq: originalFrequencies } = await engine.ropeFrequencies({ encoding: 'rope', dim });
  const results = await Promise.all(methods.map((method) => measureMethod(method, request, originalFrequencies.data, engine)));
  const createMethodTable = (column: 'unseen' | 'keyDistances' | 'weights' | 'relativeWeights'): Tensor => ({
    shape: [methods.length, length],
    data: Float32Array.from(results.flatMap((result) => result[column])),
  });
  return {
    methods,
    length,
    unseenFractions: createMethodTable('unseen'),
    usedDistances: createMethodTable('keyDistances'),
    weights: createMethodTable('weights'),
    relativeWeights: createMethodTable('relativeWeights'),
    unseenMeans: { shape: [methods.length, 1], data: Float32Array.from(results, ({ unseenMean }) => unseenMean) },
    residual: Math.max(...results.map(({ residual }) => residual)),
  };
}
