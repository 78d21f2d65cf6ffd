// Locates the WebAssembly file with training, relative to the modules of this package. Separate from package-files.ts, so that bundlers
// include it only if something trains.

/** As `packagedFile`. */
export function packagedNnFile(): readonly URL[] {
  try {
    return [new URL('./phasor-nn.wasm', import.meta.url)];
  } catch {
    return [];
  }
}
