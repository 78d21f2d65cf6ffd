// A separate module from package-files.ts, so that bundlers include phasor-nn.wasm only in programs that train a model.

/** The URL of phasor-nn.wasm, which is next to this module. Empty if a bundler has removed `import.meta.url`. */
export function locateNnFile(): readonly URL[] {
  try {
    return [new URL('./phasor-nn.wasm', import.meta.url)];
  } catch {
    return [];
  }
}
