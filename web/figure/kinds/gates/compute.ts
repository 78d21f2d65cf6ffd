// Computes attention with forget gates set by the user, and checks it against a second computation.

import { entryAt } from '../../../charts/entry-at.ts';
import { extent, largestDifference } from '../../../charts/grid.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { Engine } from '../../contract/kind.ts';
import { selectMatrix } from '../../contract/tensor.ts';

/** Used as the logarithm of a gate of 0. It is finite, but its exponential is 0 even in float64. */
export const CLOSED_LOG_GATE = -10_000;
/** Tolerance for float32 rounding in weights and scores. */
export const TOLERANCE = 1e-5;

export interface GatedHead {
  /** [words, dim]: the word vectors of one head, used as queries, keys and values. */
  readonly x: Tensor;
  /** Gates by position, 0 to 1. */
  readonly gates: readonly number[];
}

/** A comparison with a second computation that must give the same result. */
export interface Comparison {
  readonly comparisonKind: 'gates' | 'alibi' | 'open' | 'closedGate' | 'steps' | 'rope' | 'scaledPositions' | 'noPositions' | 'closedWords';
  readonly residual: number;
  readonly tolerance: number;
}

export interface GatedAttention {
  /** [words, words] */
  readonly weights: Tensor;
  /**
   * The effect of the gates between each key and query, [words, words]; 0 for keys after the query. In the Forgetting
   * Transformer, it is added to the score. In Selective RoPE, it is the distance in steps: the sum of the gates.
   */
  readonly gateEffects: Tensor;
  readonly comparison: Comparison;
}

const computeLogGates = (gates: readonly number[]): Float32Array =>
  Float32Array.from(gates, (gate) => (gate === 0 ? CLOSED_LOG_GATE : Math.log(gate)));

/**
 * Returns the common gate of all words after the first, or undefined if their gates differ. The first word's gate has no
 * effect.
 */
export function findCommonGate(gates: readonly number[]): number | undefined {
  const [, ...laterGates] = gates;
  return laterGates.length > 0 && laterGates.every((gate) => gate === laterGates[0]) ? laterGates[0] : undefined;
}

/** Creates the arguments of single-head causal attention over the words from `firstWord` on; q, k and v are [1, words, dim]. */
function createHeadInput({ shape: [words = 0, width = 1], data }: Tensor, firstWord: number) {
  const x = { shape: [1, words - firstWord, width], data: data.subarray(firstWord * width) };
  return { q: x, k: x, v: x, mask: 'causal' as const };
}

export async function attendWithGates({ x, gates }: GatedHead, engine: Engine): Promise<GatedAttention> {
  const createGateOptions = (firstWord: number) => ({
    encoding: 'forgetting' as const,
    tokenTensors: { log_gates: { shape: [1, gates.length - firstWord], data: computeLogGates(gates.slice(firstWord)) } },
  });
  const attention = await engine.attention({ ...createHeadInput(x, 0), ...createGateOptions(0), outputs: ['weights', 'scores', 'bias'] });
  const [weights, scores, gateEffects] = [attention.weights, attention.scores, attention.bias].map((tensor) => selectMatrix(tensor, 0)) as [
    Tensor,
    Tensor,
    Tensor,
  ];

  const commonGate = findCommonGate(gates);
  const lastClosedIndex = gates.lastIndexOf(0);
  const compareWeights = (comparisonKind: Comparison['comparisonKind'], expected: ArrayLike<number>): Comparison => ({
    comparisonKind,
    residual: largestDifference(weights.data, expected),
    tolerance: TOLERANCE,
  });
  const compare = async (): Promise<Comparison> => {
    if (lastClosedIndex > 0) {
      const attentionAfterClosedGate = await engine.attention({
        ...createHeadInput(x, lastClosedIndex),
        ...createGateOptions(lastClosedIndex),
        outputs: ['weights'],
      });
      return compareWeights('closedGate', replaceRows(lastClosedIndex, weights, attentionAfterClosedGate.weights));
    }
    if (commonGate !== undefined) {
      const slopes = { shape: [1], data: Float32Array.of(-Math.log(commonGate)) };
      const encoding = commonGate === 1 ? ('none' as const) : { id: 'alibi' as const, slopes };
      const expectedAttention = await engine.attention({ ...createHeadInput(x, 0), encoding, outputs: ['weights'] });
      return compareWeights(commonGate === 1 ? 'open' : 'alibi', expectedAttention.weights.data);
    }
    const ungatedAttention = await engine.attention({ ...createHeadInput(x, 0), outputs: ['scores'] });
    const { min, max } = extent(scores.data);
    const maxScore = Math.max(1, Math.abs(min), Math.abs(max));
    return {
      comparisonKind: 'gates',
      residual: measureScoreError(scores, ungatedAttention.scores, computeLogGates(gates)),
      tolerance: TOLERANCE * maxScore,
    };
  };
  return { weights, gateEffects, comparison: await compare() };
}

/**
 * Returns the expected weights if the word at `firstRow` hides all earlier words. `laterWeights` contains the
 * weights of the text from that word on.
 */
function replaceRows(firstRow: number, { shape: [words = 0], data }: Tensor, laterWeights: Tensor): Float32Array {
  const expected = data.slice();
  for (let row = firstRow; row < words; row++) {
    expected.fill(0, row * words, row * words + firstRow);
    const laterStart = (row - firstRow) * (words - firstRow);
    expected.set(laterWeights.data.subarray(laterStart, laterStart + words - firstRow), row * words + firstRow);
  }
  return expected;
}

/**
 * Returns the largest difference between a score and its expected value, which is the ungated score plus the log gates
 * after the key, up to the query.
 */
function measureScoreError({ shape: [words = 0], data }: Tensor, ungatedScores: Tensor, logGates: Float32Array): number {
  let maxDifference = 0;
  for (let query = 0; query < words; query++) {
    let sum = 0;
    for (let key = query; key >= 0; key--) {
      const index = query * words + key;
      maxDifference = Math.max(maxDifference, Math.abs(entryAt(data, index) - entryAt(ungatedScores.data, index) - sum));
      sum += entryAt(logGates, key);
    }
  }
  return maxDifference;
}
