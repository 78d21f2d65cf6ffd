declare module 'virtual:language-model' {
  /** Opens language models, and their novel; undefined if no figure of the page has a language model (scripts/standalone/program.mjs). */
  const languageModel:
    | { readonly openLanguageModel: import('../figure/runtime/language-models.ts').OpenLanguageModel; corpus(): Promise<string> }
    | undefined;
  export default languageModel;
}
