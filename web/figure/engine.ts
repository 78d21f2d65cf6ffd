// The engine of the website: selects and locates the WebAssembly file.
import scalar from '../../build/wasm/phasor-scalar.wasm?url';
import simd from '../../build/wasm/phasor-simd.wasm?url';
import { chooseVariant, createPhasorWorker, type RemotePhasor } from '../engine/index.ts';

/** Starts the engine in a worker with the file that this browser supports. */
export async function startEngine(): Promise<RemotePhasor> {
  const variant = chooseVariant();
  return createPhasorWorker({ variant, wasm: new URL(variant === 'simd' ? simd : scalar, document.baseURI) });
}
