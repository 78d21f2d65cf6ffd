// Separate from package-files.ts, so that bundlers include phasor-nn.wasm only in programs that train a model.

/** Returns the URL of phasor-nn.wasm next to this module, or an empty list if a bundler has removed `import.meta.url`. */
export function locateNnFile(): readonly URL[] {
  try {
    return [new URL('./phasor-nn.wasm', import.meta.url)];
  } catch {
    return [];
  }
}
