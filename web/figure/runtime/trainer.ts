// Trainers of the website: a larger WebAssembly file, which is fetched only where something trains.
import scalar from '../../../build/wasm/phasor-nn-scalar.wasm?url';
import simd from '../../../build/wasm/phasor-nn-simd.wasm?url';
import { trainerWorkerCreator } from '../../engine/create/trainer.ts';
import { browser } from '../../engine/platform/browser.ts';

export const createTrainer = trainerWorkerCreator({
  ...browser,
  ownFiles: (file) => [new URL(file === 'simd' ? simd : scalar, document.baseURI)],
});
