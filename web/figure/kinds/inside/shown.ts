// A model of characters that reads the text of a figure: as it ships, or as it is at a snapshot of its training here.
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { modelsOf, withModel } from './model.ts';
import { words } from './strings.ts';
import type { Training } from './training.ts';

/** What `use` makes of a model, and how far that is trained. */
export async function shownNumbers<Numbers extends object>(
  model: ShippedModel,
  spec: Spec,
  means: KindContext,
  use: (trainer: Trainer) => Promise<Numbers>,
): Promise<Numbers & Training> {
  const { createTrainer, corpus } = means;
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
  const [{ shownLive }, text] = await Promise.all([import('./shown-live.ts'), corpus()]);
  const begin = (): Promise<Trainer> => createTrainer({ ...model.spec, seed, corpus: text });
  return shownLive({ model, still, begin }, spec, means, use);
}
