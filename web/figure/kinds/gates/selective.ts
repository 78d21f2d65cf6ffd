// Attention with Selective RoPE (arXiv 2511.17388), and a second computation that verifies the weights. All steps are 1, so that only
// the gates determine distances.

import { entryAt } from '../../../charts/entry-at.ts';
import { extent, largestDifference } from '../../../charts/grid.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { Engine } from '../../contract/kind.ts';
import { selectMatrix } from '../../contract/tensor.ts';
import { type Comparison, findCommonGate, type GatedAttention, type GatedHead, TOLERANCE } from './compute.ts';

/** The defaults of rope_selective, set explicitly because rope has different defaults. */
export const ROTATION_PARAMS = { base: 500_000, layout: 'half_split' } as const;
const SELECTIVE_ROPE = { id: 'rope_selective', ...ROTATION_PARAMS } as const;

const createFilledTensor = (shape: readonly number[], value: number): Tensor => ({
  shape,
  data: new Float32Array(shape.reduce((product, axis) => product * axis, 1)).fill(value),
});

/** Creates q, k and v [1, words, dim] from the words at `indices`, and the attention options with their gates. */
function selectWords({ x: { shape, data }, gates }: GatedHead, indices: readonly number[]) {
  const width = entryAt(shape, 1);
  const x = { shape: [1, indices.length, width], data: new Float32Array(indices.length * width) };
  for (const [row, index] of indices.entries()) x.data.set(data.subarray(index * width, (index + 1) * width), row * width);
  const gate = { shape: [1, indices.length], data: Float32Array.from(indices, (index) => entryAt(gates, index)) };
  return {
    vectors: { q: x, k: x, v: x },
    // Rounds up, so that the core rejects an odd width with its own error.
    gateOptions: {
      encoding: SELECTIVE_ROPE,
      tokenTensors: { steps: createFilledTensor([1, indices.length, Math.ceil(width / 2)], 1), gate },
    },
  };
}

/** Returns the angle in radians by which one step rotates the measured pair. A sentence spans less than half a rotation. */
export const computeStepAngle = (words: number): number => 2 / words;

/**
 * Measures the number of steps between each query and key, [words, words]: the sum of the gates after the key, up to the
 * query, or 0 for later keys. It is computed from the rotation angle of a slow pair: the scores of the queries [1, 0] and
 * [0, 1] are the angle's cosine and negative sine.
 */
async function measureSteps(gates: readonly number[], engine: Engine): Promise<Tensor> {
  const wordCount = gates.length;
  const anglePerStep = computeStepAngle(wordCount);
  const [firstAxis, secondAxis] = [
    Array.from({ length: wordCount }, () => [1, 0]).flat(),
    Array.from({ length: wordCount }, () => [0, 1]).flat(),
  ];
  const k = { shape: [2, wordCount, 2], data: Float32Array.from([...firstAxis, ...firstAxis]) };
  const { scores } = await engine.attention({
    q: { shape: [2, wordCount, 2], data: Float32Array.from([...firstAxis, ...secondAxis]) },
    k,
    v: k,
    mask: 'causal',
    scale: 1,
    encoding: { ...SELECTIVE_ROPE, temperature_max: anglePerStep },
    tokenTensors: {
      steps: createFilledTensor([2, wordCount, 1], 1),
      gate: { shape: [2, wordCount], data: Float32Array.from([...gates, ...gates]) },
    },
    outputs: ['scores'],
  });
  const data = new Float32Array(wordCount ** 2);
  for (let query = 0; query < wordCount; query++)
    for (let key = 0; key < query; key++) {
      const cell = query * wordCount + key;
      // Clamps rounding errors below 0.
      data[cell] = Math.max(0, Math.atan2(-entryAt(scores.data, wordCount ** 2 + cell), entryAt(scores.data, cell)) / anglePerStep);
    }
  return { shape: [wordCount, wordCount], data };
}

export async function attendWithSelectiveRope(head: GatedHead, engine: Engine): Promise<GatedAttention> {
  const { gates } = head;
  const wordCount = gates.length;
  const allIndices = gates.map((_, index) => index);
  const { vectors, gateOptions } = selectWords(head, allIndices);
  const [attention, gateEffects] = await Promise.all([
    engine.attention({ ...vectors, ...gateOptions, mask: 'causal', outputs: ['weights', 'scores'] }),
    measureSteps(gates, engine),
  ]);
  const [weights, scores] = [attention.weights, attention.scores].map((tensor) => selectMatrix(tensor, 0)) as [Tensor, Tensor];
  const { min, max } = extent(scores.data);
  const maxScore = Math.max(1, Math.abs(min), Math.abs(max));
  const createScoreComparison = (comparisonKind: Comparison['comparisonKind'], residual: number): Comparison => ({
    comparisonKind,
    residual,
    tolerance: TOLERANCE * maxScore,
  });

  const commonGate = findCommonGate(gates);
  const compare = async (): Promise<Comparison> => {
    if (commonGate !== undefined) {
      const rope = {
        id: 'rope',
        ...ROTATION_PARAMS,
        ...(commonGate < 1 ? { scaling: 'linear' as const, factor: 1 / commonGate } : {}),
      } as const;
      const encoding = commonGate === 0 ? ('none' as const) : rope;
      const expectedAttention = await engine.attention({ ...vectors, mask: 'causal', encoding, outputs: ['weights'] });
      const comparisonKind = commonGate === 0 ? 'noPositions' : commonGate === 1 ? 'rope' : 'scaledPositions';
      return { comparisonKind, residual: largestDifference(weights.data, expectedAttention.weights.data), tolerance: TOLERANCE };
    }
    const openGateIndices = allIndices.filter((index) => index === 0 || gates[index] !== 0);
    if (openGateIndices.length < wordCount) {
      const openGateInput = selectWords(head, openGateIndices);
      const expectedAttention = await engine.attention({
        ...openGateInput.vectors,
        ...openGateInput.gateOptions,
        mask: 'causal',
        outputs: ['scores'],
      });
      return createScoreComparison('closedWords', measureScoreDifference(scores, expectedAttention.scores, openGateIndices));
    }
    // RoPE gives the same scores if the first word is at position 0 and each word's gate is its distance from the
    // previous word.
    let position = 0;
    const positions = gates.map((gate, index) => (position += index === 0 ? 0 : Math.fround(gate)));
    const ropeOptions = { queryPositions: positions, keyPositions: positions, encoding: { id: 'rope', ...ROTATION_PARAMS } as const };
    const expectedAttention = await engine.attention({ ...vectors, ...ropeOptions, outputs: ['scores'] });
    return createScoreComparison('steps', measureScoreDifference(scores, expectedAttention.scores, allIndices));
  };
  return { weights, gateEffects, comparison: await compare() };
}

/** Returns the largest difference between the scores of the words at `indices` and `expected`. Ignores masked keys. */
function measureScoreDifference({ shape: [wordCount = 0], data }: Tensor, expected: Tensor, indices: readonly number[]): number {
  let maxDifference = 0;
  for (const [row, query] of indices.entries())
    for (const [column, key] of indices.slice(0, row + 1).entries())
      maxDifference = Math.max(
        maxDifference,
        Math.abs(entryAt(data, query * wordCount + key) - entryAt(expected.data, row * indices.length + column)),
      );
  return maxDifference;
}
