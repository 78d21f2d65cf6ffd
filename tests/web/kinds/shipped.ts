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
