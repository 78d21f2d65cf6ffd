// Results recorded by scripts/train/record.mjs. Loaded only when a figure displays them.

import { lastEntry } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { computeMean } from '../../compute/seeds.ts';
import { decodeImage } from './pixels.ts';
import recorded from './recorded.json';

const { plain, features, every, spec } = recorded;
type RecordedRun = Pick<typeof plain, 'at' | 'between' | 'encoding'>;

const getLastValues = (curves: readonly (readonly number[])[]): number[] => curves.map((curve) => lastEntry(curve));
/** [sigmas, 2]: final ratios at the trained and at the test pixels. `reduce` combines the seeds. */
const createSigmaTensor = (reduce: (seeds: readonly number[]) => number): Tensor => ({
  shape: [features.length, 2],
  data: Float32Array.from(
    features.flatMap(({ at: trained, between: test }) => [reduce(getLastValues(trained)), reduce(getLastValues(test))]),
  ),
});
const createTrainConfig = ({ encoding }: RecordedRun, seed: number): ResolvedTrainConfig =>
  ({ ...spec, encoding, seed }) as ResolvedTrainConfig;

/** Returns the recorded sigma that is nearest to `sigma` on a logarithmic scale. */
export const findNearestSigma = (sigma: number): number =>
  features.reduce((best, run) => (Math.abs(Math.log(run.sigma / sigma)) < Math.abs(Math.log(best / sigma)) ? run.sigma : best), 0.25);

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

export function getRecording(sigma: number): Recording {
  const selectedRun = features.find((run) => run.sigma === sigma) ?? (features[0] as (typeof features)[number]);
  const curves = [plain, selectedRun].flatMap(({ at: trained, between: test }) => [trained[0] ?? [], test[0] ?? []]);
  const pointCount = curves[0]?.length ?? 0;
  return {
    command: recorded.command,
    total: spec.steps,
    steps: Array.from({ length: pointCount }, (_, point) => (point + 1) * every),
    decibels: { shape: [curves.length, pointCount], data: Float32Array.from(curves.flat()) },
    plainOutput: decodeImage(plain.pixels),
    featuresOutput: decodeImage(selectedRun.pixels),
    sigmas: features.map((run) => run.sigma),
    ratiosBySigma: createSigmaTensor(computeMean),
    low: createSigmaTensor((seeds) => Math.min(...seeds)),
    high: createSigmaTensor((seeds) => Math.max(...seeds)),
    plainRatios: { shape: [2], data: Float32Array.of(computeMean(getLastValues(plain.at)), computeMean(getLastValues(plain.between))) },
    trainConfigs: [createTrainConfig(plain, 1), createTrainConfig(selectedRun, 1)],
  };
}
