// A target image, the output images of two networks, and their errors.
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { CurveSource } from '../../compute/training-source.ts';

/** The lines of `decibels`. */
export const LINES = ['plainAt', 'plainBetween', 'featuresAt', 'featuresBetween'] as const;

export interface Numbers extends CurveSource {
  /** [pixels, 3] from 0 to 1: the target and the outputs of both networks; NaN before the first output. */
  readonly target: Tensor;
  readonly plainOutput: Tensor;
  readonly featuresOutput: Tensor;
  readonly sigma: number;
  /** The training step of each point. */
  readonly steps: readonly number[];
  /** [lines, points]: ratios in dB; NaN for incomplete lines. */
  readonly decibels: Tensor;
  readonly sigmas: readonly number[];
  /** [sigmas, 2]: recorded ratios at the trained pixels and between them, averaged over the seeds. */
  readonly ratiosBySigma: Tensor;
  /** [sigmas, 2]: the minimum and maximum over the seeds. */
  readonly low: Tensor;
  readonly high: Tensor;
  /** [2]: the ratios of the coordinates-only network. */
  readonly plainRatios: Tensor;
  /** Configs of the coordinates-only network and of the feature network. */
  readonly trainConfigs: readonly ResolvedTrainConfig[];
  /** Whether the reader provided the image. */
  readonly isUserImage: boolean;
  readonly isRunning: boolean;
  readonly canTrain: boolean;
}

/** The latest value of a line; NaN before the first value. */
export function latestRatio({ decibels, steps }: Pick<Numbers, 'decibels' | 'steps'>, line: number): number {
  const row = decibels.data.subarray(line * steps.length, (line + 1) * steps.length);
  return row.findLast(Number.isFinite) ?? Number.NaN;
}

/** The last step that both networks have completed. */
export function lastCompleteStep({ decibels, steps }: Pick<Numbers, 'decibels' | 'steps'>): number {
  const points = steps.length;
  const completedSteps = steps.filter((_, point) => LINES.every((_, line) => Number.isFinite(decibels.data[line * points + point])));
  return completedSteps.at(-1) ?? 0;
}
