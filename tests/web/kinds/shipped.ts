// The trained models of the site, read from disk, in the trainer of the package.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTrainer } from '../../../web/engine/train.node.ts';
import { ShippedModels } from '../../../web/figure/runtime/shipped-models.ts';

const index = pathToFileURL(join(process.cwd(), 'public/models/index.json'));
const get = async (address: string | URL): Promise<Response> => new Response(await readFile(address as URL));
const shipped = new ShippedModels(index, (spec) => createTrainer(spec), get);

export const models = (): Promise<ShippedModels> => Promise.resolve(shipped);

type Model = Awaited<ReturnType<ShippedModels['load']>>;

/** The same models with some methods of their trainers replaced. */
export const modelsWith = (replaced: (trainer: Model) => Partial<Model>) => ({
  find: (id: string) => shipped.find(id),
  load: async (id: string) => {
    const trainer = await shipped.load(id);
    return {
      config: trainer.config,
      dispose: () => trainer.dispose(),
      tokens: (text: string) => trainer.tokens(text),
      attentionWeights: (tokens: readonly number[]) => trainer.attentionWeights(tokens),
      ...replaced(trainer),
    };
  },
});
