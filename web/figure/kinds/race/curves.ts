// The curves of a race: of each line and seed a value at each point, and what is drawn of them.

import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { bandOf, mean, over, type Values } from '../../compute/seeds.ts';
import type { Source } from '../../compute/training-source.ts';

export interface Numbers extends Source {
  /** The step of each point. */
  readonly steps: readonly number[];
  /** [lines, points]: means over the seeds; NaN where no seed has come so far. */
  readonly score: Tensor;
  readonly loss: Tensor;
  /** [lines, points]: of the chosen measure, the lowest and the highest of the seeds. */
  readonly low: Tensor;
  readonly high: Tensor;
  /** Of each line, seed and point, as they were measured. */
  readonly values: { readonly score: Values; readonly loss: Values };
  /** The last share of right answers of each line, as the mean of what was recorded. */
  readonly expected: readonly number[];
  readonly chance: number;
  /** The training configs of the lines, in order. */
  readonly specs: readonly ResolvedTrainConfig[];
  readonly isRunning: boolean;
  readonly canTrain: boolean;
}

type Measured = Pick<Numbers, 'steps' | 'score' | 'loss' | 'low' | 'high' | 'values'>;

export function curvesOf(values: Numbers['values'], measure: 'accuracy' | 'loss', steps: readonly number[]): Measured {
  const points = steps.length;
  const shown = values[measure === 'loss' ? 'loss' : 'score'];
  return {
    steps,
    values,
    score: over(values.score, points, mean),
    loss: over(values.loss, points, mean),
    ...bandOf(shown, points),
  };
}

/** The last share of right answers of each seed of a line; NaN before there is one. */
export const lastScores = ({ values }: Pick<Numbers, 'values'>, line: number): readonly number[] =>
  (values.score[line] ?? []).map((curve) => curve.at(-1) ?? Number.NaN);

/** The last step that every line has made. */
export const doneOf = ({ steps, values }: Pick<Numbers, 'steps' | 'values'>): number => {
  const points = Math.min(...values.score.map((seeds) => Math.max(0, ...seeds.map((curve) => curve.length))));
  return points === 0 ? 0 : (steps[points - 1] ?? 0);
};
