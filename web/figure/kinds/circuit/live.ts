// Trains both models on this page and stores their weights at each point.
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { type LinesState, trainLines } from '../../runtime/train-lines.ts';
import { createCurveTensor, ExclusiveTrainer, evaluateModels, NUM_POINTS, type Results, type Spec } from './compute.ts';
import { type ModelView, measureModel } from './model.ts';
import { strings } from './strings.ts';

/** A training run that is complete or was stopped by the user. */
interface Run {
  readonly state: LinesState;
  readonly curves: Pick<Results, 'loss' | 'previous' | 'matching'>;
  /** The weights of each model at each point, as safetensors. */
  readonly weights: readonly (readonly Uint8Array<ArrayBuffer>[])[];
}

type TrainerFactory = NonNullable<KindContext['createTrainer']>;

async function train(
  initialResults: Results,
  tokens: readonly number[],
  createTrainer: TrainerFactory,
  context: KindContext,
): Promise<Run> {
  const createEmptyCurves = (): number[][] => initialResults.configs.map(() => []);
  const [loss, previous, matching] = [createEmptyCurves(), createEmptyCurves(), createEmptyCurves()];
  const weights: Uint8Array<ArrayBuffer>[][] = initialResults.configs.map(() => []);
  const views: ModelView[] = [];
  const createCurves = () => ({
    loss: createCurveTensor(loss),
    previous: createCurveTensor(previous),
    matching: createCurveTensor(matching),
  });
  const state = await trainLines({
    configs: initialResults.configs,
    seeds: initialResults.seeds,
    maxSteps: initialResults.total,
    maxSeconds: Number.POSITIVE_INFINITY,
    pointCount: NUM_POINTS,
    createTrainer,
    context,
    async measure({ trainer, line, loss: meanLoss }) {
      const view = await measureModel(trainer, trainer.globalStep, tokens, context.engine);
      weights[line]?.push(await trainer.saveWeights());
      loss[line]?.push(meanLoss);
      previous[line]?.push(view.previous[view.previousTokenHead] as number);
      matching[line]?.push(view.matching[view.copyingHead] as number);
      views[line] = view;
    },
    reportProgress: (fraction) => context.progress?.(fraction),
    onStateChange({ isHidden, isSequential, estimatedSeconds }) {
      const models = initialResults.configs.every((_, line) => views[line]) ? [...views] : [];
      context.partial?.({
        ...initialResults,
        ...createCurves(),
        isHidden,
        isSequential,
        estimatedSeconds,
        models,
        isRunning: true,
      });
    },
  });
  return { state, curves: createCurves(), weights };
}

export async function trainCircuit(spec: Spec, initialResults: Results, tokens: readonly number[], context: KindContext): Promise<Results> {
  const { createTrainer, cache, signal } = context;
  if (!createTrainer) throw new SpecError('run', `run: ${strings.cannotTrain}`);
  const key = JSON.stringify(initialResults.configs);
  const startRun = (): Promise<Run> => train(initialResults, tokens, createTrainer, context);
  const { state, curves, weights } = await (cache ? cache.get('run', key, startRun) : startRun());
  const results: Results = {
    ...initialResults,
    ...curves,
    isHidden: state.isHidden,
    isSequential: state.isSequential,
    estimatedSeconds: state.estimatedSeconds,
  };
  const point = Math.min(spec.snapshot, ...weights.map((line) => line.length - 1));
  if (point < 0) return results;
  const createExclusiveTrainer = (line: number): Promise<ExclusiveTrainer> =>
    createTrainer(initialResults.configs[line] as Results['configs'][number]).then((trainer) => new ExclusiveTrainer(trainer));
  const trainers: ExclusiveTrainer[] = [];
  try {
    for (const line of initialResults.configs.keys())
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
    const loadPointWeights = (trainer: Trainer, line: number): Promise<void> =>
      trainer.loadWeights(weights[line]?.[point] as Uint8Array<ArrayBuffer>);
    return {
      ...results,
      ...(await evaluateModels(trainers, initialResults.steps[point] as number, tokens, spec, context, loadPointWeights)),
    };
  } catch (thrown) {
    // A worker may have terminated. Drops the trainers, so that the next call creates new ones.
    if (!signal?.aborted) for (const line of initialResults.configs.keys()) cache?.drop(`reader ${line}`);
    throw thrown;
  } finally {
    if (!cache) for (const exclusiveTrainer of trainers) exclusiveTrainer.dispose();
  }
}
