// Diagnoses attention weights. They reveal whether the softmax included the attention sinks.

import type { Phasor } from '../types/api.ts';
import { computeBias } from './biases.ts';
import { type DumpTensor, detectFormat, NOISE } from './dump.ts';
import { computeVisibility, diagnoseMask } from './masks.ts';
import { createDiagnosis, type Diagnosis, type ReportParams, withoutExplanation } from './report.ts';
import { scoreMap } from './score-map.ts';
import type { ScoreClaim, ScoreDump } from './scores.ts';

export function diagnoseFromWeights(phasor: Phasor, dump: ScoreDump, weights: DumpTensor, claim: ScoreClaim): Diagnosis {
  const { products, dim } = dump;
  const [heads = 1, queries = 1, keys = 1] = weights.shape;
  const sinks = dump.sinks?.data;
  if (sinks && sinks.length !== heads) return withoutExplanation('cannot_tell', 'shapes_differ');
  const format = detectFormat(weights.data);
  const residualLimit = 4 * NOISE[format];
  const scale = claim.scale ?? 1 / Math.sqrt(dim);
  const computeScaledScores = (factor: number) => computeScores(phasor, products, { ...claim, scale: factor }, dim);
  const computeWeights = (factor: number, logits: ArrayLike<number> | undefined) =>
    softmaxRows(computeScaledScores(factor), [heads, queries, keys], logits);
  const residualOf = (predictedValues: Float64Array) => {
    let [squares, lengths] = [0, 0];
    weights.data.forEach((weight, at) => {
      squares += (weight - (predictedValues[at] as number)) ** 2;
      lengths += weight * weight;
    });
    return Math.sqrt(squares / lengths);
  };
  const claimedWeights = computeWeights(scale, sinks);
  const claimedResidual = residualOf(claimedWeights);
  const commonFields = { claimedResidual, noise: format };
  const dumpedWeight = (index: number) => weights.data[index] as number;
  const withMap = (predictedValues?: Float64Array) => ({
    map: scoreMap(
      [heads, queries, keys],
      dumpedWeight,
      (index) => claimedWeights[index],
      predictedValues && ((index) => predictedValues[index]),
    ),
  });
  if (claimedResidual <= residualLimit)
    return createDiagnosis(
      'as_claimed',
      {},
      { ...commonFields, residual: claimedResidual, rounding: residualLimit, ...withMap(claimedWeights) },
    );
  const estimatedSinks = estimateSinks(weights, computeScaledScores(scale));
  const hypotheses: [string, ReportParams, () => Float64Array][] = [
    ...(sinks ? [['sinks_missing', {}, () => computeWeights(scale, undefined)] as [string, ReportParams, () => Float64Array]] : []),
    ['scale_missing', { claimed: scale }, () => computeWeights(1, sinks)],
    ['scale_twice', { claimed: scale }, () => computeWeights(scale * scale, sinks)],
    [sinks ? 'wrong_sinks' : 'sinks_unclaimed', { found: estimatedSinks }, () => computeWeights(scale, estimatedSinks)],
  ];
  for (const [id, params, predict] of hypotheses) {
    const predictedWeights = predict();
    const residual = residualOf(predictedWeights);
    if (residual <= residualLimit)
      return createDiagnosis(id, params, { ...commonFields, residual, rounding: residualLimit, ...withMap(predictedWeights) });
  }
  const mask = diagnoseMask(
    Array.from(weights.data, (weight) => weight > 0),
    [heads, queries, keys],
    claim,
  );
  const diagnosisFields = { ...commonFields, ...withMap() };
  return mask ? { ...mask, ...diagnosisFields } : withoutExplanation('not_explained', 'frequencies_unknown', diagnosisFields);
}

/** Computes the claimed scores. Scores of hidden keys are -Infinity. */
export function computeScores(phasor: Phasor, { shape, data }: DumpTensor, claim: ScoreClaim, dim: number): Float64Array {
  const [heads = 1, queries = 1, keys = 1] = shape;
  const { scale = 1 / Math.sqrt(dim), softcap: cap, encoding } = claim;
  const visibility = computeVisibility([heads, queries, keys], claim);
  const bias = computeBias(phasor, encoding, heads, queries, keys);
  return Float64Array.from(data, (product, at) => {
    if (!visibility[at]) return Number.NEGATIVE_INFINITY;
    const score = scale * product;
    return (cap ? cap * Math.tanh(score / cap) : score) + (bias?.[at] ?? 0);
  });
}

export function softmaxRows(
  scores: Float64Array,
  [heads, queries, keys]: readonly [number, number, number],
  sinks: ArrayLike<number> | undefined,
): Float64Array {
  const out = new Float64Array(scores.length);
  for (let row = 0; row < heads * queries; row++) {
    const rowScores = scores.subarray(row * keys, (row + 1) * keys);
    const sink = sinks?.[Math.floor(row / queries)] ?? Number.NEGATIVE_INFINITY;
    const maxScore = rowScores.reduce((a, b) => Math.max(a, b), sink);
    const sum = rowScores.reduce((total, score) => total + Math.exp(score - maxScore), Math.exp(sink - maxScore));
    rowScores.forEach((score, key) => {
      out[row * keys + key] = Math.exp(score - maxScore) / sum;
    });
  }
  return out;
}

/**
 * Estimates each head's sink logit from the missing weight: the median of log(e * (1 - w) / w) over the head's rows, where e is a row's sum of
 * exponentials and w its sum of weights.
 */
function estimateSinks({ shape, data }: DumpTensor, scores: Float64Array): number[] {
  const [heads = 1, queries = 1, keys = 1] = shape;
  return Array.from({ length: heads }, (_, head) => {
    const logits: number[] = [];
    for (let row = head * queries; row < (head + 1) * queries; row++) {
      const rowScores = scores.subarray(row * keys, (row + 1) * keys);
      const maxScore = rowScores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
      const sum = rowScores.reduce((total, score) => total + Math.exp(score - maxScore), 0);
      const weightSum = Float64Array.from(data.subarray(row * keys, (row + 1) * keys)).reduce((total, weight) => total + weight, 0);
      if (weightSum > 0 && weightSum < 1) logits.push(maxScore + Math.log(sum) + Math.log(1 / weightSum - 1));
    }
    // The median is robust against rows with little missing weight, where rounding errors dominate.
    logits.sort((a, b) => a - b);
    return logits[logits.length >> 1] ?? Number.NEGATIVE_INFINITY;
  });
}
