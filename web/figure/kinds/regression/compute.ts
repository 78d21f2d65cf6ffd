// A target image, the output images of two networks, and their errors.
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { CurveSource } from '../../compute/training-source.ts';

/** The rows of `decibels`. */
export const LINES = ['plainAt', 'plainBetween', 'featuresAt', 'featuresBetween'] as const;

export interface Results extends CurveSource {
  /**
   * [pixels, 3] each, from 0 to 1: the target and the outputs of both networks. Outputs are NaN until they are first
   * rendered.
   */
  readonly target: Tensor;
  readonly plainOutput: Tensor;
  readonly featuresOutput: Tensor;
  readonly sigma: number;
  readonly steps: readonly number[];
  /** [lines, points]: peak signal-to-noise ratios in dB. NaN at points that have not been measured. */
  readonly decibels: Tensor;
  readonly sigmas: readonly number[];
  /** [sigmas, 2]: recorded ratios at the trained and at the test pixels, averaged over the seeds. */
  readonly ratiosBySigma: Tensor;
  /** [sigmas, 2]: minimum and maximum over the seeds. */
  readonly low: Tensor;
  readonly high: Tensor;
  /** [2]: recorded ratios of the coordinates-only network, averaged over the seeds. */
  readonly plainRatios: Tensor;
  /** Configs of the coordinates-only network and of the feature network, in this order. */
  readonly trainConfigs: readonly ResolvedTrainConfig[];
  readonly isUserImage: boolean;
  readonly isRunning: boolean;
  readonly canTrain: boolean;
}

export function findLatestRatio({ decibels, steps }: Pick<Results, 'decibels' | 'steps'>, line: number): number {
  const row = decibels.data.subarray(line * steps.length, (line + 1) * steps.length);
  return row.findLast(Number.isFinite) ?? Number.NaN;
}

export function findLastCompleteStep({ decibels, steps }: Pick<Results, 'decibels' | 'steps'>): number {
  const points = steps.length;
  const completedSteps = steps.filter((_, point) => LINES.every((_, line) => Number.isFinite(decibels.data[line * points + point])));
  return completedSteps.at(-1) ?? 0;
}
