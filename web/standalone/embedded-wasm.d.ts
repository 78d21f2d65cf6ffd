declare module 'virtual:embedded-wasm' {
  /** The WebAssembly file inside the script. */
  export const program: 'phasor' | 'phasor-nn';
  export const base64: string;
}
