// Which of the two files this JavaScript engine can run.

import { PhasorError } from '../errors/errors.ts';
import type { WasmFile } from '../platform/platform.ts';

// A module with one function, `i32.const 0; i8x16.splat; i8x16.popcnt; drop`: it validates only where SIMD128 is supported.
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 11, 1, 9, 0, 65, 0, 253, 15, 253, 98, 26, 11,
]);

export const hasSimd = () => WebAssembly.validate(simdProbe);

/** @throws {PhasorError} `unsupported` where there is no WebAssembly at all */
export function checkWebAssembly(): void {
  if (typeof WebAssembly !== 'object') {
    throw new PhasorError('unsupported', 'Phasor computes in WebAssembly, which this browser does not have or does not allow.');
  }
}

/** The files that would do where the caller chooses no variant, best first. */
export function filesHere(): readonly WasmFile[] {
  checkWebAssembly();
  return hasSimd() ? ['simd', 'scalar'] : ['scalar'];
}
