// Creates trainers in a single-file page, with the embedded WebAssembly.
import { trainerWorkerCreator } from '../engine/create/trainer-worker.ts';
import { browser } from '../engine/platform/browser.ts';
import type { TrainConfig } from '../engine/types/train-config.ts';
import type { Trainer } from '../engine/types/trainer.ts';
import { unpackEngine } from './engine-bytes.ts';

export async function createTrainer(config: TrainConfig): Promise<Trainer> {
  const bytes = await unpackEngine();
  return trainerWorkerCreator({ ...browser, program: 'phasor-nn', packageFiles: () => [bytes] })(config);
}
