// The engine of the website, and its trainers: locates the WebAssembly files.
import file from '../../../build/wasm/phasor.wasm?url';
import type { RemotePhasor } from '../../engine/index.ts';
import type { TrainSpec } from '../../engine/types/train-spec.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import { createPhasorWorker } from '../../engine/worker/page-worker.ts';

/** Starts the engine in a worker. */
export const startEngine = (): Promise<RemotePhasor> =>
  createPhasorWorker({ program: 'phasor', ownFiles: () => [new URL(file, document.baseURI)] });

/** A trainer in a worker of its own. Its program comes when something trains. */
export const createTrainer = async (spec: TrainSpec): Promise<Trainer> => (await import('./trainer.ts')).createTrainer(spec);
