// The engine of the website, and its trainers: selects and locates the WebAssembly files.
import scalar from '../../../build/wasm/phasor-scalar.wasm?url';
import simd from '../../../build/wasm/phasor-simd.wasm?url';
import type { RemotePhasor } from '../../engine/index.ts';
import type { TrainSpec } from '../../engine/types/train-spec.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import { createPhasorWorker } from '../../engine/worker/page-worker.ts';

/** Starts the engine in a worker with the file that this browser supports. */
export const startEngine = (): Promise<RemotePhasor> =>
  createPhasorWorker((file) => [new URL(file === 'simd' ? simd : scalar, document.baseURI)]);

/** A trainer in a worker of its own. Its program comes when something trains. */
export const createTrainer = async (spec: TrainSpec): Promise<Trainer> => (await import('./trainer.ts')).createTrainer(spec);
