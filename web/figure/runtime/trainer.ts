// Trainers of the website: a larger WebAssembly file, which is loaded only for training, and compiled once, because browsers keep the memory of each
// compilation.
import file from '../../../build/wasm/phasor-nn.wasm?url';
import { trainerWorkerCreator } from '../../engine/create/trainer-worker.ts';
import { compileFile, firstModule, WAIT } from '../../engine/load/compile.ts';
import { checkWebAssembly } from '../../engine/load/simd.ts';
import { browser } from '../../engine/platform/browser.ts';
import type { Platform } from '../../engine/platform/platform.ts';
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';

const platform: Platform = { ...browser, program: 'phasor-nn', ownFiles: () => [new URL(file, document.baseURI)] };
const create = trainerWorkerCreator(platform);

let module: Promise<WebAssembly.Module> | undefined;

export async function createTrainer(spec: TrainConfig): Promise<Trainer> {
  checkWebAssembly();
  module ??= firstModule(platform.ownFiles(), (source) => compileFile(source, WAIT, platform)).catch((thrown: unknown) => {
    // The next call tries again.
    module = undefined;
    throw thrown;
  });
  return create(spec, { wasm: await module });
}
