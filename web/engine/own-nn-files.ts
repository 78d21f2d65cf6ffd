// The WebAssembly with all that trains, seen from the modules of this package. Apart from own-files.ts, so that bundlers ship it only where
// something trains.
import type { WasmFile } from './platform/platform.ts';

/** As `packagedFile`. */
export function packagedNnFile(file: WasmFile): readonly URL[] {
  try {
    return [file === 'simd' ? new URL('./phasor-nn-simd.wasm', import.meta.url) : new URL('./phasor-nn-scalar.wasm', import.meta.url)];
  } catch {
    return [];
  }
}
