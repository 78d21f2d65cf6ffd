// The diagnosis of attention weights, which tell whether sinks took part in the softmax.

import type { Phasor } from '../types/api.ts';
import { biasOf } from './biases.ts';
import { type DumpTensor, formatOf, NOISE } from './dump.ts';
import { diagnoseMask, visibleOf } from './masks.ts';
import { type Diagnosis, finding, type ReportParams, withoutExplanation } from './report.ts';
import type { ScoreClaim, ScoreDump } from './scores.ts';

/** Weights tell whether sinks took part. */
export function ofWeights(phasor: Phasor, dump: ScoreDump, weights: DumpTensor, claim: ScoreClaim): Diagnosis {
  const { products, sinks, dim } = dump;
  const [heads = 1, queries = 1, keys = 1] = weights.shape;
  const format = formatOf(weights.data);
  const limit = 4 * NOISE[format];
  const visible = visibleOf([heads, queries, keys], claim);
  const scale = claim.scale ?? 1 / Math.sqrt(dim);
  const bias = biasOf(phasor, claim.encoding, heads, queries, keys);
  const softmaxOf = (factor: number, withSinks: boolean) => {
    const out = new Float64Array(weights.data.length);
    for (let head = 0; head < heads; head++)
      for (let query = 0; query < queries; query++) {
        const row = (head * queries + query) * keys;
        const score = (key: number) => {
          const plain = factor * (products.data[row + key] as number);
          return (claim.softcap ? claim.softcap * Math.tanh(plain / claim.softcap) : plain) + (bias?.[row + key] ?? 0);
        };
        const own = Array.from({ length: keys }, (_, key) => (visible[row + key] ? score(key) : Number.NEGATIVE_INFINITY));
        const sink = withSinks && sinks ? (sinks.data[head] as number) : Number.NEGATIVE_INFINITY;
        const most = Math.max(sink, ...own);
        const sum = own.reduce((total, one) => total + Math.exp(one - most), Math.exp(sink - most));
        own.forEach((one, key) => {
          out[row + key] = Math.exp(one - most) / sum;
        });
      }
    return out;
  };
  const residualOf = (predicted: Float64Array) => {
    let [squares, lengths] = [0, 0];
    weights.data.forEach((weight, at) => {
      squares += (weight - (predicted[at] as number)) ** 2;
      lengths += weight * weight;
    });
    return Math.sqrt(squares / lengths);
  };
  const claimedResidual = residualOf(softmaxOf(scale, true));
  const common = { claimedResidual, noise: format };
  if (claimedResidual <= limit) return finding('as_claimed', {}, { ...common, residual: claimedResidual });
  const attempts: [string, ReportParams, () => Float64Array][] = [
    ['sinks_missing', {}, () => softmaxOf(scale, false)],
    ['scale_missing', { claimed: scale }, () => softmaxOf(1, true)],
    ['scale_twice', { claimed: scale }, () => softmaxOf(scale * scale, true)],
  ];
  for (const [id, params, predicted] of attempts) {
    const residual = residualOf(predicted());
    if (residual <= limit) return finding(id, params, { ...common, residual });
  }
  const mask = diagnoseMask(
    Array.from(weights.data, (weight) => weight > 0),
    [heads, queries, keys],
    claim,
  );
  return mask ? { ...mask, ...common } : withoutExplanation('not_explained', 'frequencies_unknown', common);
}
