// Returns `createTrainerWorker` for a platform (browsers or Node). Separate from trainer.ts, so that pages that train only in workers do not bundle
// the Emscripten glue code.

import source from '#worker-source';
import type { Platform } from '../platform/platform.ts';
import { readOptions } from '../request/options.ts';
import { createTrainerIn, isPortable } from '../train/trainer.ts';
import type { TrainConfig, Trainer, WorkerOptions } from '../types/api.ts';
import { WORKER_OPTION_NAMES } from './option-names.ts';
import { type LoadSameThread, startDedicatedWorker } from './started.ts';

export const trainerWorkerCreator = (platform: Platform, loadSameThread?: LoadSameThread) =>
  async function createTrainerWorker(config: TrainConfig, options: WorkerOptions = {}): Promise<Trainer> {
    const mayFuse = !isPortable(config);
    return createTrainerIn(
      await startDedicatedWorker(readOptions(options, WORKER_OPTION_NAMES), { platform, source, loadSameThread, mayFuse }),
      config,
    );
  };
