// Diagnoses attention scores: the bias, the scale, and the visible keys. The core computes the bias of a claim.

import type { EncodingConfig, Phasor } from '../types/api.ts';
import { biasChanges, biasOf, distanceOf, fittedFactor, nameOfSlopes, slopeOf, slopesOf } from './biases.ts';
import { type DumpTensor, formatOf, NOISE } from './dump.ts';
import { bandOf, diagnoseMask, type MaskClaim, visibleOf } from './masks.ts';
import { type Diagnosis, finding, type ReportParams, withoutExplanation } from './report.ts';
import { scoreMap } from './score-map.ts';
import { ofWeights } from './weights.ts';

/** The expected computation of scores. */
export interface ScoreClaim extends MaskClaim {
  /** The factor on q.k; default: 1 / sqrt(dim). */
  readonly scale?: number | undefined;
  /** The cap c of c * tanh(score / c). */
  readonly softcap?: number | undefined;
  /** `alibi` or `t5` with its parameters, or another `score` encoding. */
  readonly encoding?: EncodingConfig | undefined;
}

export interface ScoreDump {
  /** Unscaled q.k: [heads, queries, keys] */
  readonly products: DumpTensor;
  /** Scores before the softmax; hidden ones are below -10000. */
  readonly scores?: DumpTensor | undefined;
  /** Weights after the softmax: [heads, queries, keys]. */
  readonly weights?: DumpTensor | undefined;
  /** Logits of the sinks: [heads]. */
  readonly sinks?: DumpTensor | undefined;
  /** Channels of a head. */
  readonly dim: number;
  readonly claim?: ScoreClaim | undefined;
}

const HIDDEN = -1e4;
const EXPLAINED = 2.6;

export function diagnoseScores(phasor: Phasor, dump: ScoreDump): Diagnosis {
  const { products, scores, weights, claim } = dump;
  const values = scores ?? weights;
  if (!values || products.shape.length !== 3 || String(products.shape) !== String(values.shape))
    return withoutExplanation('cannot_tell', 'shapes_differ');
  if (!claim) return withoutExplanation('cannot_tell', 'needs_config');
  const isNumber = (value: number) => !Number.isNaN(value) && value !== Number.POSITIVE_INFINITY;
  if (!products.data.every(Number.isFinite) || !values.data.every(isNumber)) return withoutExplanation('not_explained', 'not_finite');
  if (products.data.every((product) => product === 0)) return withoutExplanation('cannot_tell', 'input_is_zero');
  return scores ? ofScores(phasor, dump, scores, claim) : ofWeights(phasor, dump, values, claim);
}

/** The visible scores of a dump, by index. */
interface VisibleScores {
  readonly at: readonly number[];
  readonly head: (at: number) => number;
}

function ofScores(phasor: Phasor, { products, dim }: ScoreDump, scores: DumpTensor, claim: ScoreClaim): Diagnosis {
  const [heads = 1, queries = 1, keys = 1] = scores.shape;
  const isVisible = Array.from(scores.data, (score) => score > HIDDEN);
  const mask = diagnoseMask(isVisible, [heads, queries, keys], claim);
  const at = isVisible.flatMap((visible, index) => (visible ? index : []));
  if (at.length === 0) return withoutExplanation('cannot_tell', 'text_too_short');
  const visibleScores: VisibleScores = { at, head: (index) => Math.floor(index / (queries * keys)) };
  const value = (index: number) => scores.data[index] as number;
  const format = formatOf(Float32Array.from(at, value));
  const noise = NOISE[format];
  // The tolerance includes the rounding of q.k before the bias is added.
  const size = Math.sqrt(at.reduce((sum, index) => sum + value(index) ** 2, 0) / at.length);
  const residualOf = (predicted: (index: number) => number) => {
    let [squares, lengths] = [0, 0];
    for (const index of at) {
      squares += (value(index) - predicted(index)) ** 2;
      lengths += value(index) ** 2;
    }
    return Math.sqrt(squares / lengths);
  };
  const scale = claim.scale ?? 1 / Math.sqrt(dim);
  const cap = (score: number) => (claim.softcap ? claim.softcap * Math.tanh(score / claim.softcap) : score);
  const product = (index: number) => products.data[index] as number;
  const bias = biasOf(phasor, claim.encoding, heads, queries, keys);
  const predict = (factor: number, capped: boolean, added: ArrayLike<number> | undefined) => (index: number) => {
    const score = factor * product(index);
    return (capped ? cap(score) : score) + (added?.[index] ?? 0);
  };
  const claimedScore = predict(scale, true, bias);
  const claimedResidual = residualOf(claimedScore);
  const limit = EXPLAINED * noise;
  const first = (() => {
    const index = at.find((one) => Math.abs(value(one) - claimedScore(one)) > 6 * noise * Math.max(Math.abs(value(one)), size / 4));
    return index === undefined
      ? {}
      : { first: { head: visibleScores.head(index), query: Math.floor(index / keys) % queries, key: index % keys } };
  })();
  const common = { claimedResidual, noise: format };
  const claimedMask = visibleOf([heads, queries, keys], claim);
  const dumped = (index: number) => (isVisible[index] ? value(index) : undefined);
  /** An explanation is compared at the visible keys of the dump, unless no fault of the mask explains which keys are visible. */
  const withMap = (predicted?: (index: number) => number) => ({
    map: scoreMap(
      [heads, queries, keys],
      dumped,
      (index) => (claimedMask[index] ? claimedScore(index) : undefined),
      predicted && ((index) => (isVisible[index] ? predicted(index) : undefined)),
    ),
  });
  const found = (id: string, params: ReportParams, residual: number, predicted: (index: number) => number) => {
    const also = mask && mask.verdict !== id ? [{ id: mask.verdict, params: mask.params }] : [];
    return finding(id, params, { ...common, ...first, residual, rounding: limit, also, ...withMap(predicted) });
  };
  if (claimedResidual <= limit) {
    const rest = { ...common, residual: claimedResidual, rounding: limit };
    if (mask) return { ...mask, ...rest, ...withMap(mask.reason === undefined ? claimedScore : undefined) };
    const hasCap = claim.softcap !== undefined && residualOf(predict(scale, false, bias)) <= limit;
    const hasWindow = claim.window !== undefined && claim.window >= keys;
    if (hasCap || hasWindow) return withoutExplanation('cannot_tell', 'text_too_short', rest);
    return finding('as_claimed', {}, { ...rest, ...withMap(claimedScore) });
  }
  const attempts: [string, ReportParams, (index: number) => number][] = [];
  if (claim.softcap)
    attempts.push(['softcap_missing', { claimed: claim.softcap, max: Math.max(...at.map(value)) }, predict(scale, false, bias)]);
  if (scale !== 1) {
    attempts.push(['scale_missing', { claimed: scale }, predict(1, true, bias)]);
    attempts.push(['scale_twice', { claimed: scale }, predict(scale * scale, true, bias)]);
  }
  for (const [id, params, encoding] of biasChanges(claim.encoding, heads)) {
    const changed = biasOf(phasor, encoding, heads, queries, keys);
    if (encoding && !changed) continue;
    attempts.push([id, params, predict(scale, true, changed)]);
  }
  if (bias) {
    attempts.push(['alibi_sign', {}, (index) => predict(scale, true, undefined)(index) - (bias[index] as number)]);
    if (claim.encoding?.id === 't5') {
      const transposed = biasOf(phasor, claim.encoding, heads, queries, keys, true);
      if (transposed) attempts.push(['t5_direction', {}, predict(scale, true, transposed)]);
    }
    for (const by of [scale, 1 / scale, 0.5, 2])
      attempts.push(['bias_scaled', { by }, (index) => predict(scale, true, undefined)(index) + by * (bias[index] as number)]);
  }
  const ranked = attempts.map(([id, params, predicted]) => ({ id, params, predicted, residual: residualOf(predicted) }));
  const best = ranked.find(({ residual }) => residual <= limit);
  if (best) {
    const id = claim.encoding?.id === 't5' && best.id === 'alibi_sign' ? 'bias_scaled' : best.id;
    return found(id, best.params, best.residual, best.predicted);
  }
  const factor = fittedFactor(at, (index) => value(index) - (bias?.[index] ?? 0), product);
  const rescaled = predict(factor, false, bias);
  const scaled = residualOf(rescaled);
  if (!claim.softcap && scaled <= limit && factor > 0) return found('wrong_scale', { found: factor, claimed: scale }, scaled, rescaled);
  if (claim.softcap) {
    for (const other of [10, 20, 30, 50, 100]) {
      const capped = (index: number) => other * Math.tanh((scale * product(index)) / other) + (bias?.[index] ?? 0);
      const residual = residualOf(capped);
      if (residual <= limit) return found('wrong_softcap', { found: other, claimed: claim.softcap }, residual, capped);
    }
  }
  // A constant per query does not change the softmax.
  const shifted = bandOf(at, keys, (index) => value(index) - claimedScore(index), size * limit * 2);
  if (shifted) {
    const rows = new Map(at.map((index) => [Math.floor(index / keys), value(index) - claimedScore(index)]));
    const moved = (index: number) => claimedScore(index) + (rows.get(Math.floor(index / keys)) ?? 0);
    const rest = { ...common, ...first, residual: residualOf(moved), rounding: 2 * limit, ...withMap(moved) };
    return finding(claim.encoding?.id === 'alibi' ? 'alibi_row_shifted' : 'same_after_softmax', {}, rest);
  }
  const slopes =
    claim.encoding?.id === 'alibi'
      ? slopesOf(at, visibleScores.head, heads, queries, keys, (index) => value(index) - cap(scale * product(index)))
      : undefined;
  if (slopes) {
    const claimed = bias as ArrayLike<number>;
    const predicted = (index: number) =>
      cap(scale * product(index)) + (slopes[visibleScores.head(index)] as number) * distanceOf(index, queries, keys);
    const residual = residualOf(predicted);
    const head = slopes.findIndex((slope, one) => Math.abs(slope + slopeOf(claimed, one, queries, keys)) > 1e-3 * Math.abs(slope));
    if (residual <= limit && slopes.every((slope) => slope < 0))
      return found('alibi_slopes', { found: nameOfSlopes(slopes), slopes: slopes.map((slope) => -slope), head }, residual, predicted);
    if (residual <= limit && slopes.every((slope) => slope > 0)) return found('alibi_sign', { slopes }, residual, predicted);
  }
  if (mask) return { ...mask, ...common, ...withMap() };
  return withoutExplanation('not_explained', 'frequencies_unknown', { ...common, ...first, ...withMap() });
}
