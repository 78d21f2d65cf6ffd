// Modules that exist only in a single-file page: the build writes them (scripts/standalone/program.mjs).

declare module 'virtual:embedded-wasm' {
  /** The WebAssembly file, embedded in the script. */
  export const program: 'phasor' | 'phasor-nn';
  export const base64: string;
}

declare module 'virtual:photographs' {
  /** The URL of the embedded file of photographs; empty if no figure of the page shows a photograph. */
  const address: string;
  export default address;
}

declare module 'virtual:kinds' {
  /** The kinds of figures in a single-file page (scripts/standalone/program.mjs). */
  const kinds: readonly import('../figure/contract/registry.ts').AnyKind[];
  export default kinds;
}

declare module 'virtual:language-model' {
  /**
   * A function that opens language models, and the novel on which they are evaluated; undefined if no figure of the page has a language
   * model (scripts/standalone/program.mjs).
   */
  const languageModel:
    | { readonly openLanguageModel: import('../figure/runtime/language-models.ts').LanguageModelOpener; corpus(): Promise<string> }
    | undefined;
  export default languageModel;
}

declare module 'virtual:trainer' {
  /** A function that starts a trainer; undefined if no figure of the page trains (scripts/standalone/program.mjs). */
  const createTrainer:
    | ((spec: import('../engine/types/train-config.ts').TrainConfig) => Promise<import('../engine/types/trainer.ts').Trainer>)
    | undefined;
  export default createTrainer;
}
