// Results recorded by scripts/train/record.mjs. Loaded only when a figure displays them.

import { lastEntry } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { computeMean } from '../../compute/seeds.ts';
import { decodeImage } from './pixels.ts';
import recorded from './recorded.json';

const { plain, features, every, spec } = recorded;
type RecordedRun = Pick<typeof plain, 'at' | 'between' | 'encoding'>;

const lastValues = (curves: readonly (readonly number[])[]): number[] => curves.map((curve) => lastEntry(curve));
/** [sigmas, 2]: final ratios at the trained and at the test pixels. `reduce` combines the seeds. */
const tensorBySigma = (reduce: (seeds: readonly number[]) => number): Tensor => ({
  shape: [features.length, 2],
  data: Float32Array.from(features.flatMap(({ at, between }) => [reduce(lastValues(at)), reduce(lastValues(between))])),
});
const fullSpec = ({ encoding }: RecordedRun, seed: number): ResolvedTrainConfig => ({ ...spec, encoding, seed }) as ResolvedTrainConfig;

/** Returns the recorded sigma that is nearest to `sigma` on a logarithmic scale. */
export const findNearestSigma = (sigma: number): number =>
  features.reduce((best, one) => (Math.abs(Math.log(one.sigma / sigma)) < Math.abs(Math.log(best / sigma)) ? one.sigma : best), 0.25);

export interface Recording {
  readonly command: string;
  readonly total: number;
  readonly steps: readonly number[];
  readonly decibels: Tensor;
  readonly plainOutput: Tensor;
  readonly featuresOutput: Tensor;
  readonly sigmas: readonly number[];
  readonly ratiosBySigma: Tensor;
  readonly low: Tensor;
  readonly high: Tensor;
  readonly plainRatios: Tensor;
  readonly trainConfigs: readonly ResolvedTrainConfig[];
}

export function recordingOf(sigma: number): Recording {
  const selectedRun = features.find((one) => one.sigma === sigma) ?? (features[0] as (typeof features)[number]);
  const curves = [plain, selectedRun].flatMap(({ at, between }) => [at[0] ?? [], between[0] ?? []]);
  const pointCount = curves[0]?.length ?? 0;
  return {
    command: recorded.command,
    total: spec.steps,
    steps: Array.from({ length: pointCount }, (_, point) => (point + 1) * every),
    decibels: { shape: [curves.length, pointCount], data: Float32Array.from(curves.flat()) },
    plainOutput: decodeImage(plain.pixels),
    featuresOutput: decodeImage(selectedRun.pixels),
    sigmas: features.map((one) => one.sigma),
    ratiosBySigma: tensorBySigma(computeMean),
    low: tensorBySigma((seeds) => Math.min(...seeds)),
    high: tensorBySigma((seeds) => Math.max(...seeds)),
    plainRatios: { shape: [2], data: Float32Array.of(computeMean(lastValues(plain.at)), computeMean(lastValues(plain.between))) },
    trainConfigs: [fullSpec(plain, 1), fullSpec(selectedRun, 1)],
  };
}
