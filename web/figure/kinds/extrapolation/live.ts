// Trains models on this page (runtime/train-lines.ts), and evaluates them on longer texts at intervals.
import { PhasorError } from '../../../engine/errors.ts';
import type { EvaluateOptions, LengthScore } from '../../../engine/types/train-results.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import { type LinesState, type TrainLinesOptions, trainLines } from '../../runtime/train-lines.ts';
import type { MetricValues } from './lengths.ts';

/** Number of evaluations per line. The last evaluation is after training. */
const NUM_EVALUATIONS = 4;
/** Number of texts evaluated per length, during training and at the end. */
const TEXTS_BEFORE_END = 24;
const TEXTS_AT_END = 100;
/** Longer texts take most of the evaluation time. They are evaluated only at the end, on half as many texts. */
const MAX_SHORT_LENGTH = 256;
/** The fraction of time spent on training. Evaluation takes the rest. */
const TRAINING_FRACTION = 0.7;

export interface LiveState extends LinesState {
  readonly completedSteps: number;
  readonly values: MetricValues;
  readonly endErrors: readonly (string | undefined)[];
}

export interface TrainAndEvaluateOptions extends Omit<TrainLinesOptions, 'pointCount' | 'measure' | 'onStateChange'> {
  readonly lengths: readonly number[];
  /** Behaviour for positions beyond the last row of a table. */
  readonly outOfRange: 'error' | 'clamp';
  onStateChange(state: LiveState): void;
}

type LengthEvaluation = Required<Pick<EvaluateOptions, 'lengths' | 'numSamples'>>;

/** Evaluates the lengths that the table covers. For the first longer text, returns the error of the core. */
async function evaluateLengths(
  trainer: Trainer,
  evaluations: readonly LengthEvaluation[],
  evaluateOptions: Pick<EvaluateOptions, 'outOfRange' | 'signal'>,
) {
  const lengthScores: LengthScore[] = [];
  try {
    for (const evaluation of evaluations)
      await trainer.evaluate({ ...evaluateOptions, ...evaluation, extraMetrics: false, onProgress: (score) => lengthScores.push(score) });
    return { read: lengthScores };
  } catch (thrown) {
    const { code, argument, message } = PhasorError.from(thrown);
    if (code !== 'invalid_argument' || argument !== 'lengths' || lengthScores.length === 0) throw thrown;
    return { read: lengthScores, end: message };
  }
}

/** Trains all models and evaluates them at intervals. @returns the results when training ends or the reader stops it */
export async function trainAndEvaluate(options: TrainAndEvaluateOptions): Promise<LiveState> {
  const { configs, seeds, lengths, outOfRange, context } = options;
  const createEmptyResults = (): number[][][] => configs.map(() => seeds.map(() => []));
  const [loss, score, last] = [createEmptyResults(), createEmptyResults(), createEmptyResults()];
  const points = configs.map(() => seeds.map(() => 0));
  const ends: (string | undefined)[] = configs.map(() => undefined);
  const [shortLengths, longLengths] = [
    lengths.filter((length) => length <= MAX_SHORT_LENGTH),
    lengths.filter((length) => length > MAX_SHORT_LENGTH),
  ];
  const earlyEvaluations = [{ lengths: shortLengths, numSamples: TEXTS_BEFORE_END }];
  const finalEvaluations = [
    { lengths: shortLengths, numSamples: TEXTS_AT_END },
    ...(longLengths.length > 0 ? [{ lengths: longLengths, numSamples: TEXTS_AT_END / 2 }] : []),
  ];
  const addResults = (state: LinesState): LiveState => ({
    ...state,
    completedSteps: state.stepsPerPoint * Math.min(...points.map((linePoints) => Math.max(...linePoints))),
    values: { loss, score, last },
    endErrors: [...ends],
  });
  const finalState = await trainLines({
    ...options,
    maxSeconds: TRAINING_FRACTION * options.maxSeconds,
    pointCount: NUM_EVALUATIONS,
    async measure({ trainer, line, seed, point }) {
      const evaluations = point === NUM_EVALUATIONS - 1 ? finalEvaluations : earlyEvaluations;
      const { read, end } = await evaluateLengths(trainer, evaluations, { outOfRange, signal: context.signal });
      ends[line] = end;
      const record = (values: number[][][], select: (lengthScore: LengthScore) => number): void => {
        (values[line] as number[][])[seed] = read.map(select);
      };
      record(loss, (lengthScore) => lengthScore.loss);
      record(score, (lengthScore) => lengthScore.score);
      record(last, (lengthScore) => lengthScore.accuracyAt.at(-1) ?? Number.NaN);
      (points[line] as number[])[seed] = point + 1;
    },
    onStateChange: (state) => options.onStateChange(addResults(state)),
  });
  return addResults(finalState);
}
