// The trained models of a page in one file (scripts/standalone/models.mjs). Nothing is loaded, so other models are not available.
import type { CreateTrainer, ServiceSources } from '../figure/runtime/services.ts';
import { ShippedModels } from '../figure/runtime/shipped-models.ts';
import { unpack } from './unpack.ts';

/** A placeholder URL: files are found by their names. */
const INDEX = 'file:///models/index.json';

/** The models of the page; undefined if there are none. */
export function modelsInside(createTrainer: CreateTrainer): ServiceSources['models'] {
  if (!document.getElementById('index.json')) return undefined;
  const get = async (address: string | URL) => unpack(new URL(address).pathname.split('/').at(-1) as string);
  const models = new ShippedModels(INDEX, createTrainer, get);
  return async () => models;
}
