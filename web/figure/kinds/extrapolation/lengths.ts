// Results by text length: values per line, seed and length, and statistics over the seeds.
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { computeMean, computeSeedRange, reduceSeeds, type SeedValues } from '../../compute/seeds.ts';
import type { CurveSource } from '../../compute/training-source.ts';
import type { Recalibration } from './recalibrated.ts';
import type { Scaling } from './stretched.ts';

/**
 * Results of one line, [seed][length]. Tasks without accuracy have no `score`; tasks with one target per text have
 * no `last`.
 */
export interface LineResults {
  readonly loss: readonly (readonly number[])[];
  readonly score?: readonly (readonly number[])[];
  readonly last?: readonly (readonly number[])[];
}

/**
 * Results of all lines, [line][seed][length]. The innermost lists are shorter if a table ends or the evaluation is
 * incomplete.
 */
export interface MetricValues {
  readonly loss: SeedValues;
  readonly score: SeedValues;
  readonly last: SeedValues;
}
export type Metric = keyof MetricValues;

export interface Results extends CurveSource {
  readonly lengths: readonly number[];
  readonly trainedLength: number;
  readonly values: MetricValues;
  readonly metric: Metric;
  /** Means over the seeds, [lines, lengths]; NaN beyond the end of a table. */
  readonly loss: Tensor;
  readonly score: Tensor;
  readonly last: Tensor;
  /** The minimum and maximum of the displayed metric over the seeds. */
  readonly low: Tensor;
  readonly high: Tensor;
  /** For each line, the core's error message for the first length beyond the learned table. */
  readonly endErrors: readonly (string | undefined)[];
  /** For each line, the mean over the recorded seeds at the trained length. */
  readonly recordedMeans: readonly number[];
  readonly chance: number;
  /** Number of training steps that all lines have completed; for shipped models, number of completed evaluations. */
  readonly completedSteps: number;
  readonly configs: readonly ResolvedTrainConfig[];
  /** For each line, the frequency scaling for longer texts; undefined without scaling. */
  readonly scalings: readonly (Scaling | undefined)[];
  /** For each line, the additional training without RoPE; undefined if the line keeps its encoding. */
  readonly recalibrations: readonly (Recalibration | undefined)[];
  /**
   * For shipped models: the number of passages per length, the number of evaluations, and the range of the recorded
   * losses.
   */
  readonly evaluation?: { readonly passages: number; readonly total: number; readonly range: readonly [number, number] };
  readonly isRunning: boolean;
  /** Whether the page can train, but does not include the novel that the task needs. */
  readonly isNovelMissing: boolean;
  readonly canTrain: boolean;
}

/**
 * Returns the requested metric, or another if the task does not have it: `order_long` has one target per text and no
 * `last`, and `text` has only the loss.
 */
export function selectMetric(requested: 'last_token' | 'whole_text' | 'loss', task: 'copy' | 'order_long' | 'text' | 'counting'): Metric {
  if (requested === 'loss' || task === 'text') return 'loss';
  return requested === 'last_token' && task !== 'order_long' ? 'last' : 'score';
}

export function computeCurves(values: MetricValues, metric: Metric, lengthCount: number) {
  const computeMeans = (seedValues: SeedValues): Tensor => reduceSeeds(seedValues, lengthCount, computeMean);
  return {
    values,
    metric,
    loss: computeMeans(values.loss),
    score: computeMeans(values.score),
    last: computeMeans(values.last),
    ...computeSeedRange(values[metric], lengthCount),
  };
}

/** Returns a line's accuracy at the trained length for each seed, or the loss if there is no accuracy. NaN until measured. */
export function selectTrainedResults(
  { values, lengths, trainedLength }: Pick<Results, 'values' | 'lengths' | 'trainedLength'>,
  line: number,
): readonly number[] {
  const trainedIndex = lengths.indexOf(trainedLength);
  return (values.loss[line] ?? []).map((loss, seed) => values.score[line]?.[seed]?.[trainedIndex] ?? loss[trainedIndex] ?? Number.NaN);
}
