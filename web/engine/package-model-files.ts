// Separate from package-files.ts, so that bundlers include phasor-model.wasm only in programs that open a model.

/** Returns the URL of phasor-model.wasm next to this module, or an empty list if a bundler has removed `import.meta.url`. */
export function locateModelFile(): readonly URL[] {
  try {
    return [new URL('./phasor-model.wasm', import.meta.url)];
  } catch {
    return [];
  }
}
