// The WebAssembly file of models, seen from the modules of this package. Apart from package-files.ts, so that bundlers ship it only where a model is
// opened.

/** As `packagedFile`. */
export function packagedModelFile(): readonly URL[] {
  try {
    return [new URL('./phasor-model.wasm', import.meta.url)];
  } catch {
    return [];
  }
}
