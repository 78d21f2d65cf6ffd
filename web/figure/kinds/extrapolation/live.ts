// Trains models on this page (runtime/train-lines.ts), and evaluates them on longer texts at intervals.
import { PhasorError } from '../../../engine/errors.ts';
import type { EvaluateOptions, LengthScore } from '../../../engine/types/train-results.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import { type LinesState, type TrainLinesOptions, trainLines } from '../../runtime/train-lines.ts';
import type { MetricValues } from './lengths.ts';

/** Number of evaluations per line. The last one follows the end of training. */
const NUM_EVALUATIONS = 4;
/** Number of texts evaluated per length, during training and at the end. */
const TEXTS_BEFORE_END = 24;
const TEXTS_AT_END = 100;
/** Texts longer than this take most of the evaluation time. Only half as many are evaluated, and only at the end. */
const MAX_SHORT_LENGTH = 256;
/** Fraction of the time limit for training. The rest is for evaluation. */
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

/** Evaluates the lengths that the learned table covers. `endError` is the core's error message for the first length beyond it. */
async function evaluateLengths(
  trainer: Trainer,
  evaluations: readonly LengthEvaluation[],
  evaluateOptions: Pick<EvaluateOptions, 'outOfRange' | 'signal'>,
) {
  const lengthScores: LengthScore[] = [];
  try {
    for (const evaluation of evaluations)
      await trainer.evaluate({ ...evaluateOptions, ...evaluation, extraMetrics: false, onProgress: (score) => lengthScores.push(score) });
    return { lengthScores };
  } catch (thrown) {
    const { code, argument, message } = PhasorError.from(thrown);
    if (code !== 'invalid_argument' || argument !== 'lengths' || lengthScores.length === 0) throw thrown;
    return { lengthScores, endError: message };
  }
}

/** Trains all models and evaluates them at intervals. @returns the results when training ends or the user stops it */
export async function trainAndEvaluate(options: TrainAndEvaluateOptions): Promise<LiveState> {
  const { configs, seeds, lengths, outOfRange, context } = options;
  const createEmptyResults = (): number[][][] => configs.map(() => seeds.map(() => []));
  const [loss, score, last] = [createEmptyResults(), createEmptyResults(), createEmptyResults()];
  const completedPoints = configs.map(() => seeds.map(() => 0));
  const endErrors: (string | undefined)[] = configs.map(() => undefined);
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
    completedSteps: state.stepsPerPoint * Math.min(...completedPoints.map((linePoints) => Math.max(...linePoints))),
    values: { loss, score, last },
    endErrors: [...endErrors],
  });
  const finalState = await trainLines({
    ...options,
    maxSeconds: TRAINING_FRACTION * options.maxSeconds,
    pointCount: NUM_EVALUATIONS,
    async measure({ trainer, line, seed, point }) {
      const evaluations = point === NUM_EVALUATIONS - 1 ? finalEvaluations : earlyEvaluations;
      const { lengthScores, endError } = await evaluateLengths(trainer, evaluations, { outOfRange, signal: context.signal });
      endErrors[line] = endError;
      const setValues = (values: number[][][], select: (lengthScore: LengthScore) => number): void => {
        (values[line] as number[][])[seed] = lengthScores.map(select);
      };
      setValues(loss, (lengthScore) => lengthScore.loss);
      setValues(score, (lengthScore) => lengthScore.score);
      setValues(last, (lengthScore) => lengthScore.accuracyAt.at(-1) ?? Number.NaN);
      (completedPoints[line] as number[])[seed] = point + 1;
    },
    onStateChange: (state) => options.onStateChange(addResults(state)),
  });
  return addResults(finalState);
}
