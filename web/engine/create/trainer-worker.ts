// Creates `createTrainerWorker` for a platform. It is a separate module, so that a page without trainers on the main thread does not contain the
// glue.

import source from '#worker-source';
import type { Platform } from '../platform/platform.ts';
import { readOptions } from '../request/options.ts';
import { isPortable, trainerIn } from '../train/trainer.ts';
import type { TrainConfig, Trainer, WorkerOptions } from '../types/api.ts';
import { WORKER_OPTION_NAMES } from './option-names.ts';
import { ownWorker, type SameThread } from './started.ts';

export const trainerWorkerCreator = (platform: Platform, sameThread?: SameThread) =>
  async function createTrainerWorker(config: TrainConfig, options: WorkerOptions = {}): Promise<Trainer> {
    const mayFuse = !isPortable(config);
    return trainerIn(await ownWorker(readOptions(options, WORKER_OPTION_NAMES), { platform, source, sameThread, mayFuse }), config);
  };
