// Trains several models in this page side by side. Each line has a trainer in a worker; all lines train with one seed, then with the next.
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import type { KindContext } from '../contract/kind.ts';
import { Semaphore, whenVisible } from './scheduling.ts';

/** Duration of the speed test of this device, in ms. */
const SPEED_TEST_TIME = 500;
/** Minimum number of steps. */
const MIN_STEPS = 160;

export interface LinesState {
  /** Number of steps between two points, and in total. */
  readonly every: number;
  readonly total: number;
  /**
   * Estimated total time on this device in seconds, without pauses: initially the measured time per step times the steps, without `measure`;
   * from the first point, extrapolated from the elapsed time.
   */
  readonly seconds: number;
  readonly isHidden: boolean;
  readonly isSequential: boolean;
}

/** The state of a line at a point. */
export interface LinePoint {
  readonly trainer: Trainer;
  readonly line: number;
  /** The index of the seed in the list. */
  readonly seed: number;
  readonly point: number;
  /** Mean loss over the steps since the previous point. */
  readonly loss: number;
}

export interface TrainLinesOptions {
  readonly specs: readonly TrainConfig[];
  readonly seeds: readonly number[];
  /** Maximum number of steps, and approximate maximum time in seconds. */
  readonly steps: number;
  readonly seconds: number;
  /** Number of measurements per line. */
  readonly points: number;
  readonly createTrainer: (spec: TrainConfig) => Promise<Trainer>;
  readonly context: Pick<KindContext, 'signal' | 'pace'>;
  /** Measures a line at a point. */
  measure(at: LinePoint): Promise<void>;
  /** Reports the completed fraction, from 0 to 1. */
  progress(share: number): void;
  /** Called after each change of the state. */
  changed(state: LinesState): void;
}

const hasPage = typeof document !== 'undefined';
/** Whether the device is a phone or has one core, and therefore trains one model at a time. */
const isSmall = (): boolean =>
  typeof navigator !== 'undefined' && ((navigator.hardwareConcurrency || 2) < 2 || (hasPage && matchMedia('(pointer: coarse)').matches));
const cores = (): number => (typeof navigator === 'undefined' ? 2 : navigator.hardwareConcurrency || 2);
/** Number of models that may compute at a time. */
export const workerCount = (models: number): number => (isSmall() ? 1 : Math.min(models, cores()));

/** Time per step of a single model in ms, measured during `milliseconds`. */
async function stepTime(
  spec: TrainConfig,
  milliseconds: number,
  { createTrainer, context: { signal } }: TrainLinesOptions,
): Promise<number> {
  const trainer = await createTrainer(spec);
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

/** Trains the lines. @returns the results at the end, or when the reader stopped it */
export async function trainLines(options: TrainLinesOptions): Promise<LinesState> {
  const { specs, seeds, steps: most, seconds: requested, points, createTrainer, context, measure, progress, changed } = options;
  const { signal, pace } = context;
  let atOnce = isSmall() ? 1 : specs.length;
  let time = 0; // The time in ms for one step of every line in sequence.
  for (const spec of specs) time += await stepTime(spec, SPEED_TEST_TIME / specs.length, options);
  const allAtOnce = workerCount(specs.length);
  const stepOfAll = (time * seeds.length) / allAtOnce;
  const fit = (1000 * requested - SPEED_TEST_TIME) / stepOfAll;
  const every = Math.max(Math.ceil(MIN_STEPS / points), Math.min(Math.floor(most / points), Math.floor(fit / points)));
  const total = every * points;
  let isHidden = false;
  // The total time in ms of steps and measurements, and the number of steps, over all lines.
  let workTime = 0;
  let stepped = 0;
  // More workers than processors would delay the page's frames, so lines alternate and grow together.
  const semaphore = new Semaphore(allAtOnce);
  const timed = <T>(work: () => Promise<T>): Promise<T> =>
    semaphore.use(async () => {
      const startTime = performance.now();
      const done = await work();
      workTime += performance.now() - startTime;
      return done;
    });
  const seconds = (): number => {
    if (created === 0) return (stepOfAll * total) / 1000;
    return ((workTime / stepped) * total * specs.length * seeds.length) / Math.min(atOnce, allAtOnce) / 1000;
  };
  let created = 0;
  const state = (): LinesState => ({ every, total, seconds: seconds(), isHidden, isSequential: atOnce === 1 });
  changed(state());

  const lane = async (trainer: Trainer, line: number, seed: number): Promise<void> => {
    for (let point = 0; point < points; point++) {
      let sum = 0;
      // Trains in small parts, so that a pause takes effect at once.
      for (let part = 0; part < every; ) {
        await pace?.pass(signal);
        if (pace?.isStopped.peek()) return;
        if (hasPage && document.hidden) {
          isHidden = true;
          changed(state());
          await whenVisible(signal);
          isHidden = false;
          changed(state());
        }
        const count = pace?.isPaused.peek() ? every - part : Math.min(5, every - part);
        sum += count * (await timed(() => trainer.step(count, { signal }))).loss;
        part += count;
        stepped += count;
      }
      await timed(() => measure({ trainer, line, seed, point, loss: sum / every }));
      created += 1;
      progress(created / (points * specs.length * seeds.length));
      changed(state());
    }
  };
  /**
   * Creates trainers for the first of these lines, as many as may train at once. If no further worker can be started, the existing trainers
   * continue alone.
   */
  const trainersOf = async (lines: readonly number[], seed: number): Promise<Trainer[]> => {
    const trainers: Trainer[] = [];
    for (const line of lines.slice(0, atOnce)) {
      try {
        trainers.push(await createTrainer({ ...(specs[line] as TrainConfig), seed, steps: total }));
      } catch (error) {
        if (trainers.length === 0) throw error;
        atOnce = trainers.length;
        break;
      }
    }
    return trainers;
  };
  for (const [at, seed] of seeds.entries()) {
    for (let first = 0; first < specs.length && !pace?.isStopped.peek(); ) {
      const trainers = await trainersOf([...specs.keys()].slice(first), seed);
      try {
        await Promise.all(trainers.map((trainer, index) => lane(trainer, first + index, at)));
      } finally {
        for (const trainer of trainers) trainer.dispose();
      }
      first += trainers.length;
    }
  }
  return state();
}
