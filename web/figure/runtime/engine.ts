import file from '../../../build/wasm/phasor.wasm?url';
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import { createPageEngine } from '../../engine/worker/page-worker.ts';
import type { Diagnose } from '../contract/context.ts';
import type { LanguageModelOpener } from './language-models.ts';
import type { PageEngine } from './services.ts';

/**
 * Starts the engine in a worker.
 * @param runsModels whether the worker also runs trainers, so that no second WebAssembly file is loaded
 */
export const startEngine = async (runsModels: boolean): Promise<PageEngine> =>
  runsModels
    ? (await import('./trainer.ts')).startTrainingEngine()
    : createPageEngine({ program: 'phasor', packageFiles: () => [new URL(file, document.baseURI)] });

/** Diagnoses dumped tensors in a separate worker. Its script is loaded on the first call. */
export const diagnose: Diagnose = async (request, signal) => (await import('./doctor.ts')).diagnose(request, signal);

/** Creates a trainer in a separate worker. Its script is loaded on the first call. */
export const createTrainer = async (config: TrainConfig): Promise<Trainer> => (await import('./trainer.ts')).createTrainer(config);

/**
 * Opens language models in separate workers. The workers' script is loaded with the first model.
 * @param folder returns the URL of the trained models
 */
export const createSiteModelOpener =
  (folder: () => URL): LanguageModelOpener =>
  async (files, hooks) =>
    (await import('./site-language-model.ts')).openSiteModel(folder(), files, hooks);
