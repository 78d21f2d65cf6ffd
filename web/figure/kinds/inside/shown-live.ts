// Evaluates a snapshot of a character model that is trained on this page. Loaded when training starts.
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { computeLiveResults, type StepSnapshot } from './live.ts';
import { requireModels, type Training } from './model.ts';

/** The model's weights after a training step, as float32 safetensors. */
interface WeightsSnapshot extends StepSnapshot {
  readonly weights: Uint8Array<ArrayBuffer>;
}

/** Evaluates snapshots with a second model in a separate worker, so that evaluation does not wait for training. */
class SnapshotEvaluator {
  private lastTask: Promise<unknown> = Promise.resolve();

  constructor(private readonly trainer: Trainer) {}

  /** Loads the weights, calls `callback` with the trainer, and returns the result. Calls run one at a time. */
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

/** Trains up to the requested snapshot, calls `callback` with the model at that snapshot, and returns the result. */
export async function evaluateLive<Results extends object>(
  { model, modelState, startTrainer }: LiveTraining,
  spec: Spec,
  context: KindContext,
  callback: (trainer: Trainer) => Promise<Results>,
): Promise<Results & Training> {
  const { cache, signal } = context;
  const models = await requireModels(context);
  const createEvaluator = async (): Promise<SnapshotEvaluator> => new SnapshotEvaluator(await models.start(model.id));
  const disposeEvaluator = (evaluator: SnapshotEvaluator): void => evaluator.dispose();
  const evaluator = await (cache ? cache.get('model', `${model.id} in training`, createEvaluator, disposeEvaluator) : createEvaluator());
  try {
    return await computeLiveResults<WeightsSnapshot, Results>(
      {
        key: `${model.id} ${spec.seed}`,
        startTrainer,
        takeSnapshot: async (trainer) => ({ step: trainer.globalStep, weights: await trainer.saveWeights() }),
        computeResults: (snapshots, snapshotIndex) => evaluator.evaluate((snapshots[snapshotIndex] as WeightsSnapshot).weights, callback),
      },
      modelState,
      spec,
      context,
    );
  } catch (thrown) {
    // The evaluator's worker may have terminated, so the next call starts a new one.
    if (!signal?.aborted) cache?.drop('model');
    throw thrown;
  } finally {
    if (!cache) evaluator.dispose();
  }
}
