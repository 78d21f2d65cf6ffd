// Creates the website's trainers. The WebAssembly is compiled only once, because browsers do not free the memory used for compilation.
import file from '../../../build/wasm/phasor-nn.wasm?url';
import { trainerWorkerCreator } from '../../engine/create/trainer-worker.ts';
import { compileFile, compileFirst, DEFAULT_TIMEOUT_MS } from '../../engine/load/compile.ts';
import { checkWebAssembly } from '../../engine/load/simd.ts';
import { browser } from '../../engine/platform/browser.ts';
import type { Platform } from '../../engine/platform/platform.ts';
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import { startPageWorker } from '../../engine/worker/page-worker.ts';
import type { PageEngine } from './services.ts';
import { createTrainingEngine } from './training-engine.ts';

const platform: Platform = { ...browser, program: 'phasor-nn', packageFiles: () => [new URL(file, document.baseURI)] };
const createInWorker = trainerWorkerCreator(platform);

let compiledModule: Promise<WebAssembly.Module> | undefined;

function compileOnce(): Promise<WebAssembly.Module> {
  checkWebAssembly();
  compiledModule ??= compileFirst(platform.packageFiles(), (source) => compileFile(source, DEFAULT_TIMEOUT_MS, platform)).catch(
    (thrown: unknown) => {
      // Allows the next call to retry.
      compiledModule = undefined;
      throw thrown;
    },
  );
  return compiledModule;
}

export const createTrainer = async (config: TrainConfig): Promise<Trainer> => createInWorker(config, { wasm: await compileOnce() });

export const startTrainingEngine = async (): Promise<PageEngine> =>
  createTrainingEngine(await startPageWorker({ module: await compileOnce(), program: platform.program }));
