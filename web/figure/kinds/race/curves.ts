// Learning curves by line (one per encoding), seed and point, with the displayed statistics over seeds.

import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { computeMean, computeSeedRange, reduceSeeds, type SeedValues } from '../../compute/seeds.ts';
import type { CurveSource } from '../../compute/training-source.ts';

export interface Results extends CurveSource {
  readonly steps: readonly number[];
  /** [lines, points]: means over the seeds. NaN at points that have not been measured. */
  readonly score: Tensor;
  readonly loss: Tensor;
  /** [lines, points]: minimum and maximum of the selected metric over the seeds. */
  readonly low: Tensor;
  readonly high: Tensor;
  readonly values: { readonly score: SeedValues; readonly loss: SeedValues };
  /** Recorded final accuracy of each line, averaged over the seeds. */
  readonly recordedAccuracy: readonly number[];
  readonly chance: number;
  readonly trainConfigs: readonly ResolvedTrainConfig[];
  readonly isRunning: boolean;
  readonly canTrain: boolean;
}

type Curves = Pick<Results, 'steps' | 'score' | 'loss' | 'low' | 'high' | 'values'>;

export function createCurves(values: Results['values'], measure: 'accuracy' | 'loss', steps: readonly number[]): Curves {
  const points = steps.length;
  const metricValues = values[measure === 'loss' ? 'loss' : 'score'];
  return {
    steps,
    values,
    score: reduceSeeds(values.score, points, computeMean),
    loss: reduceSeeds(values.loss, points, computeMean),
    ...computeSeedRange(metricValues, points),
  };
}

/** Returns a line's latest accuracy for each seed. NaN before the first evaluation. */
export const getLastScores = ({ values }: Pick<Results, 'values'>, line: number): readonly number[] =>
  (values.score[line] ?? []).map((curve) => curve.at(-1) ?? Number.NaN);

export const findLastCompleteStep = ({ steps, values }: Pick<Results, 'steps' | 'values'>): number => {
  const points = Math.min(...values.score.map((seeds) => Math.max(0, ...seeds.map((curve) => curve.length))));
  return points === 0 ? 0 : (steps[points - 1] ?? 0);
};
