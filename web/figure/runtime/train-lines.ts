// Trains one model for each line of a chart, each in a worker. All models are trained with the first seed, then all with the next seed.
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import type { KindContext } from '../contract/kind.ts';
import { Semaphore, waitUntilVisible } from './scheduling.ts';

/** Duration in ms of the test that measures the speed of this device. */
const SPEED_TEST_MS = 500;
const MIN_STEPS = 160;

export interface LinesState {
  readonly stepsPerPoint: number;
  /** Number of training steps per model. */
  readonly totalSteps: number;
  /** Estimated total time on this device in seconds, without pauses. Based on the speed test until the first point has been measured. */
  readonly estimatedSeconds: number;
  readonly isHidden: boolean;
  readonly isSequential: boolean;
}

/** A model in training and its progress when a point of its line is measured. */
export interface LinePoint {
  readonly trainer: Trainer;
  readonly line: number;
  /** Index into `TrainLinesOptions.seeds`. */
  readonly seed: number;
  readonly point: number;
  /** Mean loss since the previous point. */
  readonly loss: number;
}

export interface TrainLinesOptions {
  readonly configs: readonly TrainConfig[];
  readonly seeds: readonly number[];
  /** Maximum number of training steps per model. */
  readonly maxSteps: number;
  /** Approximate limit on the total training time, in seconds. */
  readonly maxSeconds: number;
  readonly pointCount: number;
  readonly createTrainer: (config: TrainConfig) => Promise<Trainer>;
  readonly context: Pick<KindContext, 'signal' | 'pace'>;
  measure(point: LinePoint): Promise<void>;
  reportProgress(fraction: number): void;
  onStateChange(state: LinesState): void;
}

const hasDocument = typeof document !== 'undefined';
/** Whether the device is a phone or has a single core. Such devices train only one model at a time. */
const isSmallDevice = (): boolean =>
  typeof navigator !== 'undefined' &&
  ((navigator.hardwareConcurrency || 2) < 2 || (hasDocument && matchMedia('(pointer: coarse)').matches));
const countCores = (): number => (typeof navigator === 'undefined' ? 2 : navigator.hardwareConcurrency || 2);
/** Returns the maximum number of models that may train at the same time. */
export const countWorkers = (modelCount: number): number => (isSmallDevice() ? 1 : Math.min(modelCount, countCores()));

/** Trains a single model for `milliseconds`, and returns the mean time per step in ms. */
async function measureStepTime(
  config: TrainConfig,
  milliseconds: number,
  { createTrainer, context: { signal } }: TrainLinesOptions,
): Promise<number> {
  const trainer = await createTrainer(config);
  try {
    await trainer.step(2, { signal });
    const startTime = performance.now();
    let steps = 0;
    while (performance.now() - startTime < milliseconds) {
      await trainer.step(5, { signal });
      steps += 5;
    }
    return (performance.now() - startTime) / steps;
  } finally {
    trainer.dispose();
  }
}

/**
 * Trains all models.
 * @returns the final state, also if the user stopped the training early
 */
export async function trainLines(options: TrainLinesOptions): Promise<LinesState> {
  const { configs, seeds, maxSteps, maxSeconds, pointCount, createTrainer, context, measure, reportProgress, onStateChange } = options;
  const { signal, pace } = context;
  let maxTrainers = isSmallDevice() ? 1 : configs.length;
  let sequentialMs = 0; // Time for one training step of every model, in ms.
  for (const config of configs) sequentialMs += await measureStepTime(config, SPEED_TEST_MS / configs.length, options);
  const maxConcurrent = countWorkers(configs.length);
  const msPerStep = (sequentialMs * seeds.length) / maxConcurrent;
  const affordableSteps = (1000 * maxSeconds - SPEED_TEST_MS) / msPerStep;
  const stepsPerPoint = Math.max(
    Math.ceil(MIN_STEPS / pointCount),
    Math.min(Math.floor(maxSteps / pointCount), Math.floor(affordableSteps / pointCount)),
  );
  const totalSteps = stepsPerPoint * pointCount;
  let isHidden = false;
  // Total computation time of all models in ms, including `measure`.
  let workMs = 0;
  let stepCount = 0;
  // Limits how many models train at once, because more busy workers than cores would delay the page's frames.
  const semaphore = new Semaphore(maxConcurrent);
  const measureTime = <T>(work: () => Promise<T>): Promise<T> =>
    semaphore.use(async () => {
      const startTime = performance.now();
      const result = await work();
      workMs += performance.now() - startTime;
      return result;
    });
  const estimateSeconds = (): number => {
    if (measuredPointCount === 0) return (msPerStep * totalSteps) / 1000;
    return ((workMs / stepCount) * totalSteps * configs.length * seeds.length) / Math.min(maxTrainers, maxConcurrent) / 1000;
  };
  let measuredPointCount = 0;
  const createState = (): LinesState => ({
    stepsPerPoint,
    totalSteps,
    estimatedSeconds: estimateSeconds(),
    isHidden,
    isSequential: maxTrainers === 1,
  });
  onStateChange(createState());

  const trainLine = async (trainer: Trainer, line: number, seed: number): Promise<void> => {
    for (let point = 0; point < pointCount; point++) {
      let lossSum = 0;
      // Trains only a few steps per call, so that a pause takes effect quickly.
      for (let trainedSteps = 0; trainedSteps < stepsPerPoint; ) {
        await pace?.waitWhilePaused(signal);
        if (pace?.isStopped.peek()) return;
        if (hasDocument && document.hidden) {
          isHidden = true;
          onStateChange(createState());
          await waitUntilVisible(signal);
          isHidden = false;
          onStateChange(createState());
        }
        const stepsToTrain = pace?.isPaused.peek() ? stepsPerPoint - trainedSteps : Math.min(5, stepsPerPoint - trainedSteps);
        lossSum += stepsToTrain * (await measureTime(() => trainer.step(stepsToTrain, { signal }))).loss;
        trainedSteps += stepsToTrain;
        stepCount += stepsToTrain;
      }
      await measureTime(() => measure({ trainer, line, seed, point, loss: lossSum / stepsPerPoint }));
      measuredPointCount += 1;
      reportProgress(measuredPointCount / (pointCount * configs.length * seeds.length));
      onStateChange(createState());
    }
  };
  /** Creates up to `maxTrainers` trainers. If a later worker cannot be started, returns the trainers created so far. */
  const createTrainers = async (lines: readonly number[], seed: number): Promise<Trainer[]> => {
    const trainers: Trainer[] = [];
    for (const line of lines.slice(0, maxTrainers)) {
      try {
        trainers.push(await createTrainer({ ...(configs[line] as TrainConfig), seed, steps: totalSteps }));
      } catch (error) {
        if (trainers.length === 0) throw error;
        maxTrainers = trainers.length;
        break;
      }
    }
    return trainers;
  };
  for (const [seedIndex, seed] of seeds.entries()) {
    for (let firstLine = 0; firstLine < configs.length && !pace?.isStopped.peek(); ) {
      const trainers = await createTrainers([...configs.keys()].slice(firstLine), seed);
      try {
        await Promise.all(trainers.map((trainer, index) => trainLine(trainer, firstLine + index, seedIndex)));
      } finally {
        for (const trainer of trainers) trainer.dispose();
      }
      firstLine += trainers.length;
    }
  }
  return createState();
}
