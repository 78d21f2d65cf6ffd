// Trainers of the website: a larger WebAssembly file, which is fetched only where something trains, and compiled once: browsers keep memory of each
// time that they have compiled one.
import scalar from '../../../build/wasm/phasor-nn-scalar.wasm?url';
import simd from '../../../build/wasm/phasor-nn-simd.wasm?url';
import { trainerWorkerCreator } from '../../engine/create/trainer.ts';
import { compileFile, filesOf, firstModule, WAIT } from '../../engine/load/compile.ts';
import { filesHere } from '../../engine/load/simd.ts';
import { browser } from '../../engine/platform/browser.ts';
import type { Platform } from '../../engine/platform/platform.ts';
import type { TrainSpec } from '../../engine/types/train-spec.ts';
import type { Trainer } from '../../engine/types/trainer.ts';

const platform: Platform = { ...browser, ownFiles: (file) => [new URL(file === 'simd' ? simd : scalar, document.baseURI)] };
const create = trainerWorkerCreator(platform);

let module: Promise<WebAssembly.Module> | undefined;

export async function createTrainer(spec: TrainSpec): Promise<Trainer> {
  module ??= firstModule(filesOf(filesHere(), platform.ownFiles), (file) => compileFile(file, WAIT, platform)).catch((thrown: unknown) => {
    // The next one tries again.
    module = undefined;
    throw thrown;
  });
  return create(spec, { wasm: await module });
}
