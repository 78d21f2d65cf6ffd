// Locates phasor-nn.wasm in this package. Separate from package-files.ts, so that bundlers include it only if a model is trained.

/** The URL of phasor-nn.wasm, which is next to this module. Empty if a bundler has removed `import.meta.url`. */
export function locateNnFile(): readonly URL[] {
  try {
    return [new URL('./phasor-nn.wasm', import.meta.url)];
  } catch {
    return [];
  }
}
