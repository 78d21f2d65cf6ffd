// Entry point of phasor/train in browsers and bundlers. Models are trained on the calling thread or in a worker.

import { trainerCreator } from './create/trainer.ts';
import { trainerWorkerCreator } from './create/trainer-worker.ts';
import { locateNnFile } from './package-nn-files.ts';
import { browser, listCandidateUrls } from './platform/browser.ts';
import type { Platform } from './platform/platform.ts';
import type { PhasorOptions, TrainConfig, Trainer, WorkerOptions } from './types/api.ts';

export * from './shared-exports.ts';

const platform: Platform = { ...browser, program: 'phasor-nn', packageFiles: () => listCandidateUrls(locateNnFile()), advice: 'pass wasm' };
const importSameThread = () => import('./worker/same-thread.ts');

/**
 * A small transformer to train on the calling thread; yields to the event loop about every 12 milliseconds. It loads a larger WebAssembly file
 * than `phasor` does.
 * @throws {PhasorError} as a rejection: as `createPhasor`; `unknown_name` for a task, a field or an encoding that does not exist;
 * `invalid_argument` for a value outside its range, incompatible sizes, a corpus that is empty, too short or has too many
 * symbols; `resource_exhausted` if a step needs more memory than is available, with the number of bytes
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
 * A small transformer to train in a separate worker, so that the page stays responsive. Call `dispose()` to terminate it; until then it keeps
 * a Node process alive.
 * @throws {PhasorError} as a rejection: as `createTrainer`, and `worker_unavailable` or `blocked_by_csp` if no worker can be started and
 * `fallback` is not set
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
