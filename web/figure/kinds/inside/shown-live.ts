// A character model at a snapshot of its training on this page; loaded when the reader trains a model.
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { computeLiveNumbers, type StepSnapshot } from './live.ts';
import { requireModels, type Training } from './model.ts';

/** All weights after a number of steps, as float32 safetensors. They are loaded into a second model for evaluation. */
interface WeightsSnapshot extends StepSnapshot {
  readonly weights: Uint8Array<ArrayBuffer>;
}

/**
 * Evaluates snapshots with a second model in a separate worker, so that evaluation does not wait for training. It loads
 * the weights of one snapshot at a time.
 */
class SnapshotEvaluator {
  private lastTask: Promise<unknown> = Promise.resolve();

  constructor(private readonly trainer: Trainer) {}

  /** Calls `callback` with a trainer that has these weights and returns its result. Calls run one at a time. */
  evaluate<Result>(weights: Uint8Array<ArrayBuffer>, callback: (trainer: Trainer) => Promise<Result>): Promise<Result> {
    const result = this.lastTask.then(async () => {
      await this.trainer.loadWeights(weights);
      return callback(this.trainer);
    });
    this.lastTask = result.catch(() => {});
    return result;
  }

  dispose(): void {
    this.trainer.dispose();
  }
}

interface LiveTraining {
  readonly model: ShippedModel;
  readonly modelState: Pick<Training, 'model' | 'isHashVerified'>;
  startTrainer(): Promise<Trainer>;
}

/** Calls `callback` with the model at the displayed snapshot and returns its result. */
export async function evaluateLive<Numbers extends object>(
  { model, modelState, startTrainer }: LiveTraining,
  spec: Spec,
  context: KindContext,
  callback: (trainer: Trainer) => Promise<Numbers>,
): Promise<Numbers & Training> {
  const { cache, signal } = context;
  const models = await requireModels(context);
  const createEvaluator = async (): Promise<SnapshotEvaluator> => new SnapshotEvaluator(await models.start(model.id));
  const disposeEvaluator = (evaluator: SnapshotEvaluator): void => evaluator.dispose();
  const evaluator = await (cache ? cache.get('model', `${model.id} in training`, createEvaluator, disposeEvaluator) : createEvaluator());
  try {
    return await computeLiveNumbers<WeightsSnapshot, Numbers>(
      {
        key: `${model.id} ${spec.seed}`,
        startTrainer,
        takeSnapshot: async (trainer) => ({ step: trainer.globalStep, weights: await trainer.saveWeights() }),
        computeNumbers: (snapshots, at) => evaluator.evaluate((snapshots[at] as WeightsSnapshot).weights, callback),
      },
      modelState,
      spec,
      context,
    );
  } catch (thrown) {
    // The worker may have terminated. The next call starts a new one.
    if (!signal?.aborted) cache?.drop('model');
    throw thrown;
  } finally {
    if (!cache) evaluator.dispose();
  }
}
