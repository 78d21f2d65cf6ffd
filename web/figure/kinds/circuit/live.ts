// Both models trained on this page, with the weights of every point.
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { type LinesState, trainLines } from '../../runtime/train-lines.ts';
import { curveTensor, ExclusiveTrainer, modelsAt, type Numbers, POINTS, type Spec } from './compute.ts';
import { type ModelView, viewOf } from './model.ts';
import { strings } from './strings.ts';

/** A training run that is complete, or that the reader stopped. */
interface Run {
  readonly state: LinesState;
  readonly curves: Pick<Numbers, 'loss' | 'previous' | 'matching'>;
  /** The weights of each model at each point, as safetensors. */
  readonly weights: readonly (readonly Uint8Array<ArrayBuffer>[])[];
}

type CreateTrainer = NonNullable<KindContext['createTrainer']>;

async function train(initial: Numbers, tokens: readonly number[], createTrainer: CreateTrainer, context: KindContext): Promise<Run> {
  const emptyCurves = (): number[][] => initial.specs.map(() => []);
  const [loss, previous, matching] = [emptyCurves(), emptyCurves(), emptyCurves()];
  const weights: Uint8Array<ArrayBuffer>[][] = initial.specs.map(() => []);
  const views: ModelView[] = [];
  const curves = () => ({ loss: curveTensor(loss), previous: curveTensor(previous), matching: curveTensor(matching) });
  const state = await trainLines({
    specs: initial.specs,
    seeds: initial.seeds,
    steps: initial.total,
    seconds: Number.POSITIVE_INFINITY,
    points: POINTS,
    createTrainer,
    context,
    async measure({ trainer, line, loss: meanLoss }) {
      const view = await viewOf(trainer, trainer.globalStep, tokens, context.engine);
      weights[line]?.push(await trainer.saveWeights());
      loss[line]?.push(meanLoss);
      previous[line]?.push(view.previous[view.previousTokenHead] as number);
      matching[line]?.push(view.matching[view.copyingHead] as number);
      views[line] = view;
    },
    reportProgress: (share) => context.progress?.(share),
    onStateChange({ isHidden, isSequential, seconds }) {
      const models = initial.specs.every((_, line) => views[line]) ? [...views] : [];
      context.partial?.({ ...initial, ...curves(), isHidden, isSequential, seconds, models, isRunning: true });
    },
  });
  return { state, curves: curves(), weights };
}

export async function liveNumbers(spec: Spec, initial: Numbers, tokens: readonly number[], context: KindContext): Promise<Numbers> {
  const { createTrainer, cache, signal } = context;
  if (!createTrainer) throw new SpecError('run', `run: ${strings.cannotTrain}`);
  const key = JSON.stringify(initial.specs);
  const startRun = (): Promise<Run> => train(initial, tokens, createTrainer, context);
  const { state, curves, weights } = await (cache ? cache.get('run', key, startRun) : startRun());
  const numbers: Numbers = { ...initial, ...curves, isHidden: state.isHidden, isSequential: state.isSequential, seconds: state.seconds };
  const point = Math.min(spec.snapshot, ...weights.map((line) => line.length - 1));
  if (point < 0) return numbers;
  const createExclusiveTrainer = (line: number): Promise<ExclusiveTrainer> =>
    createTrainer(initial.specs[line] as Numbers['specs'][number]).then((trainer) => new ExclusiveTrainer(trainer));
  const trainers: ExclusiveTrainer[] = [];
  try {
    for (const line of initial.specs.keys())
      trainers.push(
        await (cache
          ? cache.get(
              `reader ${line}`,
              key,
              () => createExclusiveTrainer(line),
              (trainer) => trainer.dispose(),
            )
          : createExclusiveTrainer(line)),
      );
    const prepare = (trainer: Trainer, line: number): Promise<void> =>
      trainer.loadWeights(weights[line]?.[point] as Uint8Array<ArrayBuffer>);
    return { ...numbers, ...(await modelsAt(trainers, initial.steps[point] as number, tokens, spec, context, prepare)) };
  } catch (thrown) {
    // The worker may have terminated.
    if (!signal?.aborted) for (const line of initial.specs.keys()) cache?.drop(`reader ${line}`);
    throw thrown;
  } finally {
    if (!cache) for (const exclusiveTrainer of trainers) exclusiveTrainer.dispose();
  }
}
