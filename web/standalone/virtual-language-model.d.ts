declare module 'virtual:language-model' {
  /** Opens language models; undefined if no figure of the page has one (scripts/standalone/program.mjs). */
  const openLanguageModel: import('../figure/runtime/language-models.ts').OpenLanguageModel | undefined;
  export default openLanguageModel;
}
