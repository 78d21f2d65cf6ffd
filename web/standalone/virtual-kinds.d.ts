declare module 'virtual:kinds' {
  /** The kinds of the figures of a page in one file (scripts/standalone/program.mjs). */
  const kinds: readonly import('../figure/contract/registry.ts').AnyKind[];
  export default kinds;
}
