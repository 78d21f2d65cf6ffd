// The curves of models over the length of the text: of each line and seed a value at each length, and what is drawn of them.
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { bandOf, mean, over, type Values } from '../../compute/seeds.ts';
import type { Source } from '../../compute/training-source.ts';
import type { Scaling } from './stretched.ts';

/** [seed][length] of one line. Without answers that are right or wrong there is the loss alone, and `last` where a text has several of them. */
export interface Measured {
  readonly loss: readonly (readonly number[])[];
  readonly score?: readonly (readonly number[])[];
  readonly last?: readonly (readonly number[])[];
}

/** [line][seed][length]; shorter where a table ends, or where a line has not come so far. */
export interface Measures {
  readonly loss: Values;
  readonly score: Values;
  readonly last: Values;
}
export type Measure = keyof Measures;

export interface Numbers extends Source {
  readonly lengths: readonly number[];
  readonly trained: number;
  readonly values: Measures;
  /** Which of them is shown. */
  readonly metric: Measure;
  /** [lines, lengths]: means over the seeds; NaN beyond the end of a table. */
  readonly loss: Tensor;
  readonly score: Tensor;
  readonly last: Tensor;
  /** Of what is shown the lowest and the highest of the seeds. */
  readonly low: Tensor;
  readonly high: Tensor;
  /** For each line the error of the core for the first text beyond its table. */
  readonly ends: readonly (string | undefined)[];
  /** Of each line the recorded mean at the trained length. */
  readonly expected: readonly number[];
  readonly chance: number;
  /** The last step that every line has made. */
  readonly done: number;
  readonly specs: readonly ResolvedTrainConfig[];
  /** Of each line how its pairs are slowed down for longer texts; undefined for one that reads as it was trained. */
  readonly scalings: readonly (Scaling | undefined)[];
  /**
   * Where models that ship read here: how many passages of each length, how many readings there are in all, of which `done` are made, and between
   * which losses the recorded curves are.
   */
  readonly reading?: { readonly passages: number; readonly total: number; readonly range: readonly [number, number] };
  readonly isRunning: boolean;
  /** The page trains, but does not have the novel that these models read: a page that is one file, or of the package. */
  readonly lacksNovel: boolean;
  readonly canTrain: boolean;
}

/** Which of the measures a field stands for in a task: a text may have one answer, or none that is right or wrong. */
export function measureOf(asked: 'last_token' | 'whole_text' | 'loss', task: 'copy' | 'order_long' | 'text' | 'counting'): Measure {
  if (asked === 'loss' || task === 'text') return 'loss';
  return asked === 'last_token' && task !== 'order_long' ? 'last' : 'score';
}

export function curvesOf(values: Measures, metric: Measure, points: number) {
  const means = (of: Values): Tensor => over(of, points, mean);
  return {
    values,
    metric,
    loss: means(values.loss),
    score: means(values.score),
    last: means(values.last),
    ...bandOf(values[metric], points),
  };
}

/** The result of each seed of a line at the trained length: accuracy or loss; NaN before it is measured. */
export function reachedOf({ values, lengths, trained }: Pick<Numbers, 'values' | 'lengths' | 'trained'>, line: number): readonly number[] {
  const at = lengths.indexOf(trained);
  return (values.loss[line] ?? []).map((loss, seed) => values.score[line]?.[seed]?.[at] ?? loss[at] ?? Number.NaN);
}
