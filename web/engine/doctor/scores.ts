// The diagnosis of attention scores: what is added to q.k, how it is scaled, and which keys are visible. The bias of a claim comes from the core.

import type { EncodingConfig, Phasor } from '../types/api.ts';
import { biasChanges, biasOf, distanceOf, fittedFactor, nameOfSlopes, slopeOf, slopesOf } from './biases.ts';
import { type DumpTensor, formatOf, NOISE } from './dump.ts';
import { bandOf, diagnoseMask, type MaskClaim } from './masks.ts';
import { type Diagnosis, finding, type ReportParams, withoutExplanation } from './report.ts';
import { ofWeights } from './weights.ts';

/** What scores should be. */
export interface ScoreClaim extends MaskClaim {
  /** The factor on q.k; default: 1 / sqrt(dim). */
  readonly scale?: number | undefined;
  /** c of c tanh(score / c). */
  readonly softcap?: number | undefined;
  /** `alibi` or `t5` with its parameters, or another `score` encoding. */
  readonly encoding?: EncodingConfig | undefined;
}

export interface ScoreDump {
  /** q.k, not scaled: [heads, queries, keys] */
  readonly products: DumpTensor;
  /** Before the softmax; hidden ones are below -10000. */
  readonly scores?: DumpTensor | undefined;
  /** After it. */
  readonly weights?: DumpTensor | undefined;
  /** [heads], logits without a value */
  readonly sinks?: DumpTensor | undefined;
  /** Of a head. */
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
  return scores ? ofScores(phasor, dump, scores, claim) : ofWeights(phasor, dump, values, claim);
}

/** Scores at which nothing is hidden. */
interface Visible {
  readonly at: readonly number[];
  readonly head: (at: number) => number;
}

function ofScores(phasor: Phasor, { products, dim }: ScoreDump, scores: DumpTensor, claim: ScoreClaim): Diagnosis {
  const [heads = 1, queries = 1, keys = 1] = scores.shape;
  const isVisible = Array.from(scores.data, (score) => score > HIDDEN);
  const mask = diagnoseMask(isVisible, [heads, queries, keys], claim);
  const at = isVisible.flatMap((visible, index) => (visible ? index : []));
  if (at.length === 0) return withoutExplanation('cannot_tell', 'text_too_short');
  const seen: Visible = { at, head: (index) => Math.floor(index / (queries * keys)) };
  const value = (index: number) => scores.data[index] as number;
  const format = formatOf(Float32Array.from(at, value));
  const noise = NOISE[format];
  // q.k is rounded too; a bias is added to it.
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
  const own = predict(scale, true, bias);
  const claimedResidual = residualOf(own);
  const limit = EXPLAINED * noise;
  const first = (() => {
    const index = at.find((one) => Math.abs(value(one) - own(one)) > 6 * noise * Math.max(Math.abs(value(one)), size / 4));
    return index === undefined ? {} : { first: { head: seen.head(index), query: Math.floor(index / keys) % queries, key: index % keys } };
  })();
  const common = { claimedResidual, noise: format };
  const found = (id: string, params: ReportParams, residual: number, rest: Partial<Diagnosis> = {}) => {
    const also = mask && mask.verdict !== id ? [{ id: mask.verdict, params: mask.params }] : [];
    return finding(id, params, { ...common, ...first, residual, also, ...rest });
  };
  if (claimedResidual <= limit) {
    if (mask) return { ...mask, ...common, residual: claimedResidual };
    const hasCap = claim.softcap !== undefined && residualOf(predict(scale, false, bias)) <= limit;
    const hasWindow = claim.window !== undefined && claim.window >= keys;
    if (hasCap || hasWindow) return withoutExplanation('cannot_tell', 'text_too_short', { ...common, residual: claimedResidual });
    return finding('as_claimed', {}, { ...common, residual: claimedResidual });
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
  const ranked = attempts.map(([id, params, predicted]) => ({ id, params, residual: residualOf(predicted) }));
  const best = ranked.find(({ residual }) => residual <= limit);
  if (best) return found(claim.encoding?.id === 't5' && best.id === 'alibi_sign' ? 'bias_scaled' : best.id, best.params, best.residual);
  const factor = fittedFactor(at, (index) => value(index) - (bias?.[index] ?? 0), product);
  const scaled = residualOf((index) => factor * product(index) + (bias?.[index] ?? 0));
  if (!claim.softcap && scaled <= limit && factor > 0) return found('wrong_scale', { found: factor, claimed: scale }, scaled);
  if (claim.softcap) {
    for (const other of [10, 20, 30, 50, 100]) {
      const residual = residualOf((index) => other * Math.tanh((scale * product(index)) / other) + (bias?.[index] ?? 0));
      if (residual <= limit) return found('wrong_softcap', { found: other, claimed: claim.softcap }, residual);
    }
  }
  // A constant per query leaves the softmax as it is.
  const shifted = bandOf(at, keys, (index) => value(index) - own(index), size * limit * 2);
  if (shifted) return finding(claim.encoding?.id === 'alibi' ? 'alibi_row_shifted' : 'same_after_softmax', {}, { ...common, ...first });
  const slopes =
    claim.encoding?.id === 'alibi'
      ? slopesOf(at, seen.head, heads, queries, keys, (index) => value(index) - cap(scale * product(index)))
      : undefined;
  if (slopes) {
    const claimed = bias as ArrayLike<number>;
    const predicted = (index: number) =>
      cap(scale * product(index)) + (slopes[seen.head(index)] as number) * distanceOf(index, queries, keys);
    const residual = residualOf(predicted);
    const head = slopes.findIndex((slope, one) => Math.abs(slope + slopeOf(claimed, one, queries, keys)) > 1e-3 * Math.abs(slope));
    if (residual <= limit && slopes.every((slope) => slope < 0))
      return found('alibi_slopes', { found: nameOfSlopes(slopes), slopes: slopes.map((slope) => -slope), head }, residual);
    if (residual <= limit && slopes.every((slope) => slope > 0)) return found('alibi_sign', { slopes }, residual);
  }
  if (mask) return { ...mask, ...common };
  return withoutExplanation('not_explained', 'frequencies_unknown', { ...common, ...first });
}
