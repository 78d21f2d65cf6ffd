// The trained models of a page: those of its own index, or of a folder that a figure names. The program that reads them is loaded with the first one.
import type { TrainSpec } from '../../engine/types/train-spec.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import type { ShippedModels } from './shipped-models.ts';

const WORDS = {
  noFolder: (folder: string) => `models: ${JSON.stringify(folder)} is not the address of a folder`,
} as const;

/** The address of the index in a folder that a page names. Throws where that is no address. */
function indexOf(folder: string): URL {
  try {
    return new URL('index.json', new URL(folder.endsWith('/') ? folder : `${folder}/`, document.baseURI));
  } catch {
    throw new Error(WORDS.noFolder(folder));
  }
}

/** @param own returns the address of the index for figures that name no folder, when one needs it */
export function modelsIn(
  own: () => URL,
  createTrainer: (spec: TrainSpec) => Promise<Trainer>,
): (folder?: string) => Promise<ShippedModels> {
  const made = new Map<string, Promise<ShippedModels>>();
  return async (folder) => {
    const address = folder === undefined ? own() : indexOf(folder);
    const known = made.get(address.href);
    if (known) return known;
    const making = import('./shipped-models.ts').then((program) => new program.ShippedModels(address, createTrainer));
    made.set(address.href, making);
    // The next figure tries again.
    making.catch(() => made.delete(address.href));
    return making;
  };
}
