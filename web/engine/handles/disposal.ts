/// <reference lib="esnext.disposable" />
// The end of a `using` block, in engines that know `Symbol.dispose` and in those where a compiler writes the block.

/** Looked up late: a program may define the symbol after this module has run. Compilers take the second one where there is none. */
export function atEndOfBlock<T extends object>(object: T, dispose: () => void): T {
  return Object.defineProperty(object, Symbol.dispose ?? Symbol.for('Symbol.dispose'), { value: dispose, configurable: true });
}
