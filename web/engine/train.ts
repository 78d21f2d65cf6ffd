// Entry point of phasor/train in browsers and bundlers. Models are trained on the calling thread or in a worker.

import { trainerCreator } from './create/trainer.ts';
import { trainerWorkerCreator } from './create/trainer-worker.ts';
import { locateNnFile } from './package-nn-files.ts';
import { browser, listCandidateUrls } from './platform/browser.ts';
import type { Platform } from './platform/platform.ts';
import type { PhasorOptions, TrainConfig, Trainer, WorkerOptions } from './types/api.ts';

export * from './shared-exports.ts';

const platform: Platform = {
  ...browser,
  program: 'phasor-nn',
  packageFiles: () => listCandidateUrls(locateNnFile()),
  advice: 'pass the option wasm',
};
const importSameThread = () => import('./worker/same-thread.ts');

/**
 * Creates a small transformer that is trained on the calling thread. Training yields to the event loop about every 12 milliseconds. Loads a
 * larger WebAssembly file than `createPhasor` does.
 * @throws {PhasorError} rejects with the errors of `createPhasor`; with `unknown_name` for a task, a field or an encoding that does not
 * exist; with `invalid_argument` for a value outside its range, for incompatible sizes, and for a corpus that is empty, too short or has
 * too many symbols; with `resource_exhausted` if a step needs more memory than is available (the message states the number of bytes)
 * @example
 * ```js
 * const { createTrainer } = await import('phasor/train');
 * const trainer = await createTrainer({ task: 'order', encoding: 'rope', seed: 1, batchSize: 8 });
 * const { step } = await trainer.step(5);
 * step; // 5
 * trainer.dispose();
 * ```
 */
export const createTrainer: (spec: TrainConfig, options?: PhasorOptions) => Promise<Trainer> = /* @__PURE__ */ trainerCreator(platform);

/**
 * Creates a small transformer that is trained in a separate worker, so that the page stays responsive. Call `dispose()` to terminate it;
 * until then it keeps a Node process alive.
 * @throws {PhasorError} rejects with the errors of `createTrainer`, and with `worker_unavailable` or `blocked_by_csp` if no worker can be
 * started and `fallback` is not set
 * @example
 * ```js
 * const { createTrainerWorker } = await import('phasor/train');
 * const trainer = await createTrainerWorker({ task: 'order', encoding: 'alibi', batchSize: 8 });
 * await trainer.step(2);
 * trainer.globalStep; // 2
 * trainer.dispose();
 * ```
 */
export const createTrainerWorker: (spec: TrainConfig, options?: WorkerOptions) => Promise<Trainer> = /* @__PURE__ */ trainerWorkerCreator(
  platform,
  importSameThread,
);
