// The trained models of a page in one file (scripts/standalone/models.mjs). Nothing is loaded: other models are not available.
import type { TrainConfig } from '../engine/types/train-config.ts';
import type { Trainer } from '../engine/types/trainer.ts';
import { ShippedModels } from '../figure/runtime/shipped-models.ts';
import { unpack } from './unpack.ts';

/** A placeholder URL: files are found by their names. */
const INDEX = 'file:///models/index.json';

/** The models of the page; undefined without any. */
export function modelsInside(createTrainer: (spec: TrainConfig) => Promise<Trainer>): (() => Promise<ShippedModels>) | undefined {
  if (!document.getElementById('index.json')) return undefined;
  const models = new ShippedModels(INDEX, createTrainer, async (address) => unpack(new URL(address).pathname.split('/').at(-1) as string));
  return async () => models;
}
