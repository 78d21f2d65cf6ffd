// A character model at a snapshot of its training on this page. Loaded when a reader trains one.
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { liveNumbers, type Taken } from './live.ts';
import { modelsOf, type Training } from './model.ts';

/** All weights after a number of steps, float32 as safetensors, which a second model loads for evaluation. */
interface Weights extends Taken {
  readonly weights: Uint8Array<ArrayBuffer>;
}

/**
 * A second model, in a separate worker, that loads the weights of one snapshot at a time, so that evaluation does not wait for training.
 */
class Reader {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly trainer: Trainer) {}

  /** The result of `use` for the model with these weights, in the order of requests. */
  with<Result>(weights: Uint8Array<ArrayBuffer>, use: (trainer: Trainer) => Promise<Result>): Promise<Result> {
    const used = this.last.then(async () => {
      await this.trainer.loadWeights(weights);
      return use(this.trainer);
    });
    this.last = used.catch(() => {});
    return used;
  }

  dispose(): void {
    this.trainer.dispose();
  }
}

interface Learning {
  readonly model: ShippedModel;
  readonly still: Pick<Training, 'model' | 'isHashed'>;
  /** The training model, at its first step. */
  begin(): Promise<Trainer>;
}

/** The result of `use` for the model at the displayed snapshot. */
export async function shownLive<Numbers extends object>(
  { model, still, begin }: Learning,
  spec: Spec,
  means: KindContext,
  use: (trainer: Trainer) => Promise<Numbers>,
): Promise<Numbers & Training> {
  const { cache, signal } = means;
  const models = await modelsOf(means);
  const load = async (): Promise<Reader> => new Reader(await models.start(model.id));
  const end = (one: Reader): void => one.dispose();
  const reader = await (cache ? cache.get('model', `${model.id} in training`, load, end) : load());
  try {
    return await liveNumbers<Weights, Numbers>(
      {
        key: `${model.id} ${spec.seed}`,
        begin,
        take: async (trainer) => ({ step: trainer.globalStep, weights: await trainer.saveWeights() }),
        numbers: (snapshots, at) => reader.with((snapshots[at] as Weights).weights, use),
      },
      still,
      spec,
      means,
    );
  } catch (thrown) {
    // The worker may have been lost.
    if (!signal?.aborted) cache?.drop('model');
    throw thrown;
  } finally {
    if (!cache) reader.dispose();
  }
}
