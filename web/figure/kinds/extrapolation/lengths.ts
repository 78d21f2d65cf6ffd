// Model curves by text length: a value per line, seed and length, and the displayed statistics.
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { computeMean, computeSeedRange, reduceSeeds, type SeedValues } from '../../compute/seeds.ts';
import type { CurveSource } from '../../compute/training-source.ts';
import type { Recalibration } from './recalibrated.ts';
import type { Scaling } from './stretched.ts';

/** The results of one line, [seed][length]. `score` is missing in tasks without accuracy, and `last` in tasks with one target per text. */
export interface LineResults {
  readonly loss: readonly (readonly number[])[];
  readonly score?: readonly (readonly number[])[];
  readonly last?: readonly (readonly number[])[];
}

/** The results of all lines, [line][seed][length]. A list is shorter if a table ends or the line is incomplete. */
export interface MetricValues {
  readonly loss: SeedValues;
  readonly score: SeedValues;
  readonly last: SeedValues;
}
export type Metric = keyof MetricValues;

export interface Numbers extends CurveSource {
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
  /** The core's error for the first text beyond the table, by line. */
  readonly endErrors: readonly (string | undefined)[];
  /** The recorded mean at the trained length, by line. */
  readonly recordedMeans: readonly number[];
  readonly chance: number;
  /** Number of training steps that all lines have completed. */
  readonly completedSteps: number;
  readonly configs: readonly ResolvedTrainConfig[];
  /** The frequency scaling for longer texts, by line; undefined for a line without scaling. */
  readonly scalings: readonly (Scaling | undefined)[];
  /** The training after RoPE is removed, by line; undefined for a line that keeps its encoding. */
  readonly recalibrations: readonly (Recalibration | undefined)[];
  /**
   * For the evaluation of shipped models: the number of passages per length, the number of evaluations, and the range of the recorded
   * losses.
   */
  readonly evaluation?: { readonly passages: number; readonly total: number; readonly range: readonly [number, number] };
  readonly isRunning: boolean;
  /** Whether the page can train but does not include the novel that these models need. */
  readonly isNovelMissing: boolean;
  readonly canTrain: boolean;
}

/** Replaces a metric that the task lacks: `order_long` has one target per text and no `last`, and `text` has only the loss. */
export function selectMetric(requested: 'last_token' | 'whole_text' | 'loss', task: 'copy' | 'order_long' | 'text' | 'counting'): Metric {
  if (requested === 'loss' || task === 'text') return 'loss';
  return requested === 'last_token' && task !== 'order_long' ? 'last' : 'score';
}

export function computeCurves(values: MetricValues, metric: Metric, points: number) {
  const computeMeans = (seedValues: SeedValues): Tensor => reduceSeeds(seedValues, points, computeMean);
  return {
    values,
    metric,
    loss: computeMeans(values.loss),
    score: computeMeans(values.score),
    last: computeMeans(values.last),
    ...computeSeedRange(values[metric], points),
  };
}

/** The result of each seed of a line at the trained length: accuracy or loss; NaN before it is measured. */
export function selectTrainedResults(
  { values, lengths, trainedLength }: Pick<Numbers, 'values' | 'lengths' | 'trainedLength'>,
  line: number,
): readonly number[] {
  const trainedIndex = lengths.indexOf(trainedLength);
  return (values.loss[line] ?? []).map((loss, seed) => values.score[line]?.[seed]?.[trainedIndex] ?? loss[trainedIndex] ?? Number.NaN);
}
