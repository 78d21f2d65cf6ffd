// Entry point of phasor/train in Node. Models are trained on the calling thread or in a worker thread.

import { trainerCreator } from './create/trainer.ts';
import { trainerWorkerCreator } from './create/trainer-worker.ts';
import { locateNnFile } from './package-nn-files.ts';
import { locateInstalledFile, node } from './platform/node.ts';
import type { Platform } from './platform/platform.ts';
import type { PhasorOptions, TrainConfig, Trainer, WorkerOptions } from './types/api.ts';

export * from './shared-exports.ts';

const platform: Platform = {
  ...node,
  program: 'phasor-nn',
  packageFiles: () => [...locateNnFile(), ...locateInstalledFile('phasor-nn.wasm')],
  advice: 'pass the option wasm',
};
const importSameThread = () => import('./worker/same-thread.ts');

/** Creates a small transformer that is trained on the calling thread. Training yields to the event loop about every 12 milliseconds. */
export const createTrainer: (spec: TrainConfig, options?: PhasorOptions) => Promise<Trainer> = /* @__PURE__ */ trainerCreator(platform);

/** Creates a small transformer that is trained in a separate worker thread, which keeps the process alive until `dispose()` is called. */
export const createTrainerWorker: (spec: TrainConfig, options?: WorkerOptions) => Promise<Trainer> = /* @__PURE__ */ trainerWorkerCreator(
  platform,
  importSameThread,
);
