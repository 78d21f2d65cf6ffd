// The trained model of a figure, which it keeps in its worker while its text changes: one at a time.
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModels } from '../../runtime/shipped-models.ts';
import { words } from './strings.ts';

/** The models of the page. Throws a SpecError where it has none, or where they cannot be had. */
export async function modelsOf({ models }: KindContext): Promise<ShippedModels> {
  if (!models) throw new SpecError('encoding', `encoding: ${words.noModels}`);
  return models();
}

/** What `use` makes of the model. */
export async function withModel<Result>(id: string, means: KindContext, use: (trainer: Trainer) => Promise<Result>): Promise<Result> {
  const { kept } = means;
  const models = await modelsOf(means);
  const load = () => models.load(id);
  const trainer = await (kept ? kept.get('model', id, load, (one) => one.dispose()) : load());
  try {
    return await use(trainer);
  } catch (thrown) {
    // Its worker may be lost: the next one tries with another.
    kept?.drop('model');
    throw thrown;
  } finally {
    if (!kept) trainer.dispose();
  }
}
