// Locates phasor-model.wasm in this package. Separate from package-files.ts, so that bundlers include it only if a model is opened.

/** The URL of phasor-model.wasm, which is next to this module. Empty if a bundler has removed `import.meta.url`. */
export function locateModelFile(): readonly URL[] {
  try {
    return [new URL('./phasor-model.wasm', import.meta.url)];
  } catch {
    return [];
  }
}
