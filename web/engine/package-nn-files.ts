// The WebAssembly file with training, seen from the modules of this package. Apart from package-files.ts, so that bundlers ship it only where
// something trains.

/** As `packagedFile`. */
export function packagedNnFile(): readonly URL[] {
  try {
    return [new URL('./phasor-nn.wasm', import.meta.url)];
  } catch {
    return [];
  }
}
