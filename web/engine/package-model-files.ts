// A separate module from package-files.ts, so that bundlers include phasor-model.wasm only in programs that open a model.

/** The URL of phasor-model.wasm, which is next to this module. Empty if a bundler has removed `import.meta.url`. */
export function locateModelFile(): readonly URL[] {
  try {
    return [new URL('./phasor-model.wasm', import.meta.url)];
  } catch {
    return [];
  }
}
