// The trained models of a page, in a folder of its own or in one that a figure names. Their program comes when one is asked for.
import type { TrainSpec } from '../../engine/types/train-spec.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import type { ShippedModels } from './shipped-models.ts';

const WORDS = {
  noFolder: (folder: string) => `models: ${JSON.stringify(folder)} is not the address of a folder`,
} as const;

/** A folder as a page names it, with the slash. Throws where that is no address. */
function addressOf(folder: string): URL {
  try {
    return new URL(folder.endsWith('/') ? folder : `${folder}/`, document.baseURI);
  } catch {
    throw new Error(WORDS.noFolder(folder));
  }
}

/** @param own the address of the folder `models/` of the page, with the slash, for figures that name none: asked for when one needs it */
export function modelsIn(
  own: () => URL,
  createTrainer: (spec: TrainSpec) => Promise<Trainer>,
): (folder?: string) => Promise<ShippedModels> {
  const made = new Map<string, Promise<ShippedModels>>();
  return async (folder) => {
    const address = folder === undefined ? own() : addressOf(folder);
    const known = made.get(address.href);
    if (known) return known;
    const making = import('./shipped-models.ts').then((program) => new program.ShippedModels(address, createTrainer));
    made.set(address.href, making);
    // The next figure tries again.
    making.catch(() => made.delete(address.href));
    return making;
  };
}
