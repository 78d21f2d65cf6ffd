// The engine of a page whose figures run trained models: the engine and the trainers share a worker and its memory.
import { engineInWorker } from '../../engine/create/started.ts';
import { trainerIn } from '../../engine/train/trainer.ts';
import type { PageWorker } from '../../engine/worker/page-worker.ts';
import { remotePhasor } from '../../engine/worker/remote.ts';
import type { PageEngine } from './services.ts';

/** @param worker a worker with phasor-nn.wasm */
export function trainingEngine({ client, info }: PageWorker): PageEngine {
  const trainers = engineInWorker(client, info, (trainer) => trainer !== undefined && client.release(trainer));
  return { ...remotePhasor(client, info), createTrainer: (config) => trainerIn(trainers, config) };
}
