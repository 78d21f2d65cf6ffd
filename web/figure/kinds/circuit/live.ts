// Both models trained in this page, with the weights of every point.
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { type LinesState, trainLines } from '../../runtime/train-lines.ts';
import { curveTensor, modelsAt, type Numbers, POINTS, Reader, type Spec } from './compute.ts';
import { type ModelView, viewOf } from './model.ts';
import { strings } from './strings.ts';

/** A training that has completed, or that the reader has stopped. */
interface Run {
  readonly state: LinesState;
  readonly curves: Pick<Numbers, 'loss' | 'previous' | 'matching'>;
  /** [line][point]: safetensors. */
  readonly weights: readonly (readonly Uint8Array<ArrayBuffer>[])[];
}

type CreateTrainer = NonNullable<KindContext['createTrainer']>;

async function train(still: Numbers, tokens: readonly number[], createTrainer: CreateTrainer, means: KindContext): Promise<Run> {
  const empty = (): number[][] => still.specs.map(() => []);
  const [loss, previous, matching] = [empty(), empty(), empty()];
  const weights: Uint8Array<ArrayBuffer>[][] = still.specs.map(() => []);
  const views: ModelView[] = [];
  const curves = () => ({ loss: curveTensor(loss), previous: curveTensor(previous), matching: curveTensor(matching) });
  const state = await trainLines({
    specs: still.specs,
    seeds: still.seeds,
    steps: still.total,
    seconds: Number.POSITIVE_INFINITY,
    points: POINTS,
    createTrainer,
    context: means,
    async measure({ trainer, line, loss: mean }) {
      const view = await viewOf(trainer, trainer.globalStep, tokens, means.engine);
      weights[line]?.push(await trainer.saveWeights());
      loss[line]?.push(mean);
      previous[line]?.push(view.previous[view.writer] as number);
      matching[line]?.push(view.matching[view.reader] as number);
      views[line] = view;
    },
    progress: (share) => means.progress?.(share),
    changed({ isHidden, isSequential, seconds }) {
      const models = still.specs.every((_, line) => views[line]) ? [...views] : [];
      means.partial?.({ ...still, ...curves(), isHidden, isSequential, seconds, models, isRunning: true });
    },
  });
  return { state, curves: curves(), weights };
}

export async function liveNumbers(spec: Spec, still: Numbers, tokens: readonly number[], means: KindContext): Promise<Numbers> {
  const { createTrainer, cache, signal } = means;
  if (!createTrainer) throw new SpecError('run', `run: ${strings.cannotTrain}`);
  const key = JSON.stringify(still.specs);
  const begin = (): Promise<Run> => train(still, tokens, createTrainer, means);
  const { state, curves, weights } = await (cache ? cache.get('run', key, begin) : begin());
  const numbers: Numbers = { ...still, ...curves, isHidden: state.isHidden, isSequential: state.isSequential, seconds: state.seconds };
  const point = Math.min(spec.snapshot, ...weights.map((line) => line.length - 1));
  // The reader stopped it before the first point.
  if (point < 0) return numbers;
  const load = (line: number): Promise<Reader> =>
    createTrainer(still.specs[line] as Numbers['specs'][number]).then((one) => new Reader(one));
  const readers: Reader[] = [];
  try {
    for (const line of still.specs.keys())
      readers.push(
        await (cache
          ? cache.get(
              `reader ${line}`,
              key,
              () => load(line),
              (one) => one.dispose(),
            )
          : load(line)),
      );
    const prepare = (trainer: Trainer, line: number): Promise<void> =>
      trainer.loadWeights(weights[line]?.[point] as Uint8Array<ArrayBuffer>);
    return { ...numbers, ...(await modelsAt(readers, still.steps[point] as number, tokens, spec, means, prepare)) };
  } catch (thrown) {
    // The worker may have been lost.
    if (!signal?.aborted) for (const line of still.specs.keys()) cache?.drop(`reader ${line}`);
    throw thrown;
  } finally {
    if (!cache) for (const reader of readers) reader.dispose();
  }
}
