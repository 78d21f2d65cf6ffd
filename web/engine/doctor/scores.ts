// Diagnoses the bias, scale and mask of attention scores. The core computes the claimed bias.

import type { EncodingConfig, Phasor } from '../types/api.ts';
import { classifySlopes, computeBias, distanceOf, fitFactor, fitSlopes, listBiasFaults, slopeOf } from './biases.ts';
import { type DumpTensor, detectFormat, NOISE } from './dump.ts';
import { computeVisibility, diagnoseMask, isConstantPerRow, type MaskClaim } from './masks.ts';
import { createDiagnosis, type Diagnosis, type ReportParams, withoutExplanation } from './report.ts';
import { scoreMap } from './score-map.ts';
import { diagnoseFromWeights } from './weights.ts';

/** The claimed computation of scores. */
export interface ScoreClaim extends MaskClaim {
  /** Factor applied to q.k; default: 1 / sqrt(dim). */
  readonly scale?: number | undefined;
  /** The cap c in c * tanh(score / c). */
  readonly softcap?: number | undefined;
  /** `alibi` or `t5` with its parameters, or another `score` encoding. */
  readonly encoding?: EncodingConfig | undefined;
}

export interface ScoreDump {
  /** Unscaled q.k: [heads, queries, keys]. */
  readonly products: DumpTensor;
  /** Scores before the softmax: [heads, queries, keys]. Scores of hidden keys are below -10000. */
  readonly scores?: DumpTensor | undefined;
  /** Weights after the softmax: [heads, queries, keys]. */
  readonly weights?: DumpTensor | undefined;
  /** Logits of the attention sinks: [heads]. */
  readonly sinks?: DumpTensor | undefined;
  readonly dim: number;
  readonly claim?: ScoreClaim | undefined;
}

const HIDDEN_SCORE = -1e4;
const MAX_RESIDUAL = 2.6;

export function diagnoseScores(phasor: Phasor, dump: ScoreDump): Diagnosis {
  const { products, scores, weights, claim } = dump;
  const values = scores ?? weights;
  if (!values || products.shape.length !== 3 || String(products.shape) !== String(values.shape))
    return withoutExplanation('cannot_tell', 'shapes_differ');
  if (!claim) return withoutExplanation('cannot_tell', 'needs_config');
  const isValidValue = (value: number) => !Number.isNaN(value) && value !== Number.POSITIVE_INFINITY;
  if (!products.data.every(Number.isFinite) || !values.data.every(isValidValue)) return withoutExplanation('not_explained', 'not_finite');
  if (products.data.every((product) => product === 0)) return withoutExplanation('cannot_tell', 'input_is_zero');
  return scores ? diagnoseFromScores(phasor, dump, scores, claim) : diagnoseFromWeights(phasor, dump, values, claim);
}

function diagnoseFromScores(phasor: Phasor, { products, dim }: ScoreDump, scores: DumpTensor, claim: ScoreClaim): Diagnosis {
  const [heads = 1, queries = 1, keys = 1] = scores.shape;
  const visibility = Array.from(scores.data, (score) => score > HIDDEN_SCORE);
  const mask = diagnoseMask(visibility, [heads, queries, keys], claim);
  const visibleIndices = visibility.flatMap((visible, index) => (visible ? index : []));
  if (visibleIndices.length === 0) return withoutExplanation('cannot_tell', 'text_too_short');
  const headOf = (index: number) => Math.floor(index / (queries * keys));
  const value = (index: number) => scores.data[index] as number;
  const format = detectFormat(Float32Array.from(visibleIndices, value));
  const noise = NOISE[format];
  // Root mean square of the visible scores. Errors are relative to it, not to each score: q.k is rounded before the bias is added, so the relative
  // error of small scores may be large.
  const rms = Math.sqrt(visibleIndices.reduce((sum, index) => sum + value(index) ** 2, 0) / visibleIndices.length);
  const residualOf = (predictedScore: (index: number) => number) => {
    let [squares, lengths] = [0, 0];
    for (const index of visibleIndices) {
      squares += (value(index) - predictedScore(index)) ** 2;
      lengths += value(index) ** 2;
    }
    return Math.sqrt(squares / lengths);
  };
  const scale = claim.scale ?? 1 / Math.sqrt(dim);
  const cap = (score: number) => (claim.softcap ? claim.softcap * Math.tanh(score / claim.softcap) : score);
  const product = (index: number) => products.data[index] as number;
  const bias = computeBias(phasor, claim.encoding, heads, queries, keys);
  const predict = (factor: number, hasSoftcap: boolean, addedBias: ArrayLike<number> | undefined) => (index: number) => {
    const score = factor * product(index);
    return (hasSoftcap ? cap(score) : score) + (addedBias?.[index] ?? 0);
  };
  const claimedScore = predict(scale, true, bias);
  const claimedResidual = residualOf(claimedScore);
  const tolerance = MAX_RESIDUAL * noise;
  const differenceField = (() => {
    const index = visibleIndices.find(
      (scoreIndex) => Math.abs(value(scoreIndex) - claimedScore(scoreIndex)) > 6 * noise * Math.max(Math.abs(value(scoreIndex)), rms / 4),
    );
    return index === undefined ? {} : { first: { head: headOf(index), query: Math.floor(index / keys) % queries, key: index % keys } };
  })();
  const commonFields = { claimedResidual, noise: format };
  const claimedMask = computeVisibility([heads, queries, keys], claim);
  const dumpedScore = (index: number) => (visibility[index] ? value(index) : undefined);
  /** Adds a residual map. The explanation is compared only at keys that are visible in the dump. */
  const withMap = (predictedScore?: (index: number) => number) => ({
    map: scoreMap(
      [heads, queries, keys],
      dumpedScore,
      (index) => (claimedMask[index] ? claimedScore(index) : undefined),
      predictedScore && ((index) => (visibility[index] ? predictedScore(index) : undefined)),
    ),
  });
  const explainWith = (id: string, params: ReportParams, residual: number, predictedScore: (index: number) => number) => {
    const also = mask && mask.verdict !== id ? [{ id: mask.verdict, params: mask.params }] : [];
    return createDiagnosis(id, params, {
      ...commonFields,
      ...differenceField,
      residual,
      rounding: tolerance,
      also,
      ...withMap(predictedScore),
    });
  };
  if (claimedResidual <= tolerance) {
    const diagnosisFields = { ...commonFields, residual: claimedResidual, rounding: tolerance };
    if (mask) return { ...mask, ...diagnosisFields, ...withMap(mask.reason === undefined ? claimedScore : undefined) };
    const isCapUntested = claim.softcap !== undefined && residualOf(predict(scale, false, bias)) <= tolerance;
    const isWindowUntested = claim.window !== undefined && claim.window >= keys;
    if (isCapUntested || isWindowUntested) return withoutExplanation('cannot_tell', 'text_too_short', diagnosisFields);
    return createDiagnosis('as_claimed', {}, { ...diagnosisFields, ...withMap(claimedScore) });
  }
  const hypotheses: [string, ReportParams, (index: number) => number][] = [];
  if (claim.softcap)
    hypotheses.push([
      'softcap_missing',
      { claimed: claim.softcap, max: Math.max(...visibleIndices.map(value)) },
      predict(scale, false, bias),
    ]);
  if (scale !== 1) {
    hypotheses.push(['scale_missing', { claimed: scale }, predict(1, true, bias)]);
    hypotheses.push(['scale_twice', { claimed: scale }, predict(scale * scale, true, bias)]);
  }
  for (const [id, params, encoding] of listBiasFaults(claim.encoding, heads)) {
    const changedBias = computeBias(phasor, encoding, heads, queries, keys);
    if (encoding && !changedBias) continue;
    hypotheses.push([id, params, predict(scale, true, changedBias)]);
  }
  if (bias) {
    hypotheses.push(['alibi_sign', {}, (index) => predict(scale, true, undefined)(index) - (bias[index] as number)]);
    if (claim.encoding?.id === 't5') {
      const mirroredBias = computeBias(phasor, claim.encoding, heads, queries, keys, true);
      if (mirroredBias) hypotheses.push(['t5_direction', {}, predict(scale, true, mirroredBias)]);
    }
    for (const by of [scale, 1 / scale, 0.5, 2])
      hypotheses.push(['bias_scaled', { by }, (index) => predict(scale, true, undefined)(index) + by * (bias[index] as number)]);
  }
  const evaluatedHypotheses = hypotheses.map(([id, params, predictedScore]) => ({
    id,
    params,
    predictedScore,
    residual: residualOf(predictedScore),
  }));
  const explanation = evaluatedHypotheses.find(({ residual }) => residual <= tolerance);
  if (explanation) {
    const id = claim.encoding?.id === 't5' && explanation.id === 'alibi_sign' ? 'bias_scaled' : explanation.id;
    return explainWith(id, explanation.params, explanation.residual, explanation.predictedScore);
  }
  const factor = fitFactor(visibleIndices, (index) => value(index) - (bias?.[index] ?? 0), product);
  const rescaledScore = predict(factor, false, bias);
  const rescaledResidual = residualOf(rescaledScore);
  if (!claim.softcap && rescaledResidual <= tolerance && factor > 0)
    return explainWith('wrong_scale', { found: factor, claimed: scale }, rescaledResidual, rescaledScore);
  if (claim.softcap) {
    for (const otherCap of [10, 20, 30, 50, 100]) {
      const cappedScore = (index: number) => otherCap * Math.tanh((scale * product(index)) / otherCap) + (bias?.[index] ?? 0);
      const residual = residualOf(cappedScore);
      if (residual <= tolerance) return explainWith('wrong_softcap', { found: otherCap, claimed: claim.softcap }, residual, cappedScore);
    }
  }
  // Adding a constant to all scores of a query does not change the softmax.
  const isRowShift = isConstantPerRow(visibleIndices, keys, (index) => value(index) - claimedScore(index), rms * tolerance * 2);
  if (isRowShift) {
    const rowShifts = new Map(visibleIndices.map((index) => [Math.floor(index / keys), value(index) - claimedScore(index)]));
    const shiftedScore = (index: number) => claimedScore(index) + (rowShifts.get(Math.floor(index / keys)) ?? 0);
    const diagnosisFields = {
      ...commonFields,
      ...differenceField,
      residual: residualOf(shiftedScore),
      rounding: 2 * tolerance,
      ...withMap(shiftedScore),
    };
    return createDiagnosis(claim.encoding?.id === 'alibi' ? 'alibi_row_shifted' : 'same_after_softmax', {}, diagnosisFields);
  }
  const slopes =
    claim.encoding?.id === 'alibi'
      ? fitSlopes(visibleIndices, headOf, heads, queries, keys, (index) => value(index) - cap(scale * product(index)))
      : undefined;
  if (slopes) {
    const claimed = bias as ArrayLike<number>;
    const predictedScore = (index: number) =>
      cap(scale * product(index)) + (slopes[headOf(index)] as number) * distanceOf(index, queries, keys);
    const residual = residualOf(predictedScore);
    const head = slopes.findIndex(
      (slope, headIndex) => Math.abs(slope + slopeOf(claimed, headIndex, queries, keys)) > 1e-3 * Math.abs(slope),
    );
    if (residual <= tolerance && slopes.every((slope) => slope < 0))
      return explainWith(
        'alibi_slopes',
        { found: classifySlopes(slopes), slopes: slopes.map((slope) => -slope), head },
        residual,
        predictedScore,
      );
    if (residual <= tolerance && slopes.every((slope) => slope > 0)) return explainWith('alibi_sign', { slopes }, residual, predictedScore);
  }
  if (mask) return { ...mask, ...commonFields, ...withMap() };
  return withoutExplanation('not_explained', 'frequencies_unknown', { ...commonFields, ...differenceField, ...withMap() });
}
