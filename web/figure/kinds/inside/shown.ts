// A model of characters that reads the text of a figure: as it ships, or as it is at a snapshot of its training here.
import type { Trainer } from '../../../engine/types/training.ts';
import type { Means } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import type { Taken } from './live.ts';
import { modelsOf, withModel } from './model.ts';
import type { Training } from './training.ts';
import { words } from './words.ts';

/** All weights after so many steps, float32 as safetensors: a model that reads with them is the one that learns. */
interface Weights extends Taken {
  readonly weights: Uint8Array<ArrayBuffer>;
}

/** A second model, in a worker of its own, which has the weights of one snapshot at a time: so nobody waits for the steps of the one that learns. */
class Reader {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly trainer: Trainer) {}

  /** What `use` makes of it with these weights, after those who asked before. */
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

/** What `use` makes of a model, and how far that is trained. */
export async function shownNumbers<Numbers extends object>(
  model: ShippedModel,
  spec: Spec,
  means: Means,
  use: (trainer: Trainer) => Promise<Numbers>,
): Promise<Numbers & Training> {
  const { createTrainer, corpus, kept } = means;
  const { seed, run: origin } = spec;
  const models = await modelsOf(means);
  const still = { model, isHashed: models.canHash };
  if (origin === 'recorded') {
    if (seed !== model.spec.seed) throw new SpecError('seed', `seed: ${words.notRecorded(Number(model.spec.seed))}`);
    return withModel(model.id, means, async (trainer) => ({
      ...(await use(trainer)),
      ...still,
      origin,
      spec: trainer.spec,
      steps: [model.steps],
      at: 0,
      isRunning: false,
      isHidden: false,
      canTrain: createTrainer !== undefined && corpus !== undefined,
    }));
  }
  if (!createTrainer) throw new SpecError('run', `run: ${words.cannotTrain}`);
  if (!corpus) throw new SpecError('run', `run: ${words.lacksNovel}`);
  const [{ liveNumbers }, text] = await Promise.all([import('./live.ts'), corpus()]);
  const load = async (): Promise<Reader> => new Reader(await models.start(model.id));
  const end = (one: Reader): void => one.dispose();
  const reader = await (kept ? kept.get('model', `${model.id} in training`, load, end) : load());
  try {
    return await liveNumbers<Weights, Numbers>(
      {
        key: `${model.id} ${seed}`,
        begin: () => createTrainer({ ...model.spec, seed, corpus: text }),
        take: async (trainer) => ({ step: trainer.stepsDone, weights: await trainer.saveWeights() }),
        numbers: (snapshots, at) => reader.with((snapshots[at] as Weights).weights, use),
      },
      still,
      spec,
      means,
    );
  } catch (thrown) {
    // Its worker may be lost.
    if (!means.signal?.aborted) kept?.drop('model');
    throw thrown;
  } finally {
    if (!kept) reader.dispose();
  }
}
