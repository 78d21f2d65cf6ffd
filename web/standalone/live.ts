// Script of a single-file page. Defines the figures, with an engine whose WebAssembly is embedded in the page.

import kinds from 'virtual:kinds';
import languageModel from 'virtual:language-model';
import photographs from 'virtual:photographs';
import createTrainer from 'virtual:trainer';
import type { RemotePhasor } from '../engine/index.ts';
import { createPageEngine } from '../engine/worker/page-worker.ts';
import { createKindSource } from '../figure/contract/registry.ts';
import { defineFigure } from '../figure/element/define-figure.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { PageServices, type ServiceSources, type TrainerFactory } from '../figure/runtime/services.ts';
import { ShippedModels } from '../figure/runtime/shipped-models.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { unpackEngine } from './engine-bytes.ts';
import { unpack } from './unpack.ts';

/** A placeholder, because embedded files are found by name. */
const PLACEHOLDER_INDEX = 'file:///models/index.json';

function createEmbeddedModels(createTrainer: TrainerFactory): ServiceSources['models'] {
  if (!document.getElementById('index.json')) return undefined;
  const fetcher = async (address: string | URL) => unpack(new URL(address).pathname.split('/').at(-1) as string);
  const models = new ShippedModels(PLACEHOLDER_INDEX, createTrainer, fetcher);
  return async () => models;
}

const models = createTrainer && createEmbeddedModels(createTrainer);
const statusElement = document.getElementById('state') as HTMLElement;

async function startEngine(): Promise<RemotePhasor> {
  const wasm = await unpackEngine();
  const engine = await createPageEngine({ program: createTrainer ? 'phasor-nn' : 'phasor', packageFiles: () => [wasm] });
  statusElement.textContent = `Computed on this device with phasor ${engine.version}, WebAssembly SIMD.`;
  return engine;
}

defineFigure(
  new PageServices({
    startEngine,
    ...(createTrainer ? { createTrainer } : {}),
    ...(models ? { models } : {}),
    ...languageModel,
    vocabulary: new WordVectors(),
    photographs: new PhotographFile(photographs),
    kinds: createKindSource({}, kinds),
  }),
  location.href,
);
