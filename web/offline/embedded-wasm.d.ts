declare module 'virtual:embedded-wasm' {
  /** Both WebAssembly files as base64. */
  const files: { readonly simd: string; readonly scalar: string };
  export default files;
}
