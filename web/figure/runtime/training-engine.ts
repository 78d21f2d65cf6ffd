// Creates the engine for pages whose figures run trained models. The engine and the trainers share a worker and its memory.
import { createWorkerEngine } from '../../engine/create/started.ts';
import { createTrainerIn } from '../../engine/train/trainer.ts';
import type { PageWorker } from '../../engine/worker/page-worker.ts';
import { createRemotePhasor } from '../../engine/worker/remote.ts';
import type { PageEngine } from './services.ts';

export function createTrainingEngine({ client, info }: PageWorker): PageEngine {
  const trainers = createWorkerEngine(client, info, (trainer) => trainer !== undefined && client.release(trainer));
  return { ...createRemotePhasor(client, info), createTrainer: (config) => createTrainerIn(trainers, config) };
}
