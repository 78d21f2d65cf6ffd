// The function that creates a trainer in a worker, for one platform. A separate module, so that a page without trainers on its own thread does not
// contain the glue of the WebAssembly.

import type { Platform } from '../platform/platform.ts';
import { ownRequest } from '../request/flat-request.ts';
import { readOptions } from '../request/options.ts';
import { isPortable, type TrainerEngine, trainerIn } from '../train/trainer.ts';
import type { TrainConfig, Trainer, WorkerOptions } from '../types/api.ts';
import { disposed, type RemoteInfo } from '../worker/remote.ts';
import type { WorkerClient } from '../worker/worker-client.ts';
import { type SameThread, started, WORKER_OPTIONS } from './workers.ts';

/** @param end frees the memory of the trainer */
export const engineInWorker = (client: WorkerClient, { variant, thread }: RemoteInfo, end: TrainerEngine['end']): TrainerEngine => ({
  variant,
  thread,
  call: (name, request) => client.call(name, ownRequest(name, request)),
  pause: () => undefined, // every step is a response of the worker
  end,
});

export const trainerWorkerCreator = (platform: Platform, sameThread?: SameThread) =>
  async function createTrainerWorker(config: TrainConfig, options: WorkerOptions = {}): Promise<Trainer> {
    const mayFuse = !isPortable(config);
    const { clients, info } = await started(readOptions(options, WORKER_OPTIONS), 1, platform, sameThread, mayFuse);
    const [client] = clients;
    return trainerIn(
      engineInWorker(client, info, () => client.end(disposed())),
      config,
    );
  };
