// The engine of the website: selects and locates the WebAssembly file.
import scalar from '../../../build/wasm/phasor-scalar.wasm?url';
import simd from '../../../build/wasm/phasor-simd.wasm?url';
import type { RemotePhasor } from '../../engine/index.ts';
import { createPhasorWorker } from '../../engine/worker/page-worker.ts';

/** Starts the engine in a worker with the file that this browser supports. */
export const startEngine = (): Promise<RemotePhasor> =>
  createPhasorWorker((file) => [new URL(file === 'simd' ? simd : scalar, document.baseURI)]);
