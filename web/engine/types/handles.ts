// Handles of the caller to tensors, encodings and caches that an engine stores between calls.

/** The parameter of `using`, where TypeScript has it: lib esnext.disposable, or @types/node. */
export type DisposableLike = SymbolConstructor extends { readonly dispose: infer S extends symbol } ? { [K in S]: () => void } : object;

/**
 * Something in the memory of one engine, to be used in its calls until it is disposed of. In a pool every worker has a copy; a cache is
 * in the first only. Using a handle after `dispose()`, or in another engine, is an error; so is using one that was lost because the engine's
 * WebAssembly instance was replaced, after a cancelled call or one that ran out of memory.
 */
interface Handle extends DisposableLike {
  /** Whether its memory has been freed. */
  readonly disposed: boolean;
  /**
   * Frees the memory after the calls that were made before. A second call does nothing, as with a `DisposableStack`. Throws nothing.
   * @example
   * ```js
   * const tensor = phasor.createTensor({ shape: [2], data: [1, 2] });
   * tensor.dispose();
   * tensor.disposed; // true
   * ```
   */
  dispose(): void;
}

/** A tensor that was copied into the engine by `createTensor`; accepted wherever a request takes a tensor. */
export interface TensorHandle extends Handle {
  /** Distinguishes kinds of handles. */
  readonly kind: 'tensor';
  /** Of the tensor. */
  readonly shape: readonly number[];
}

/** An encoding created by `createEncoding`. */
export interface EncodingHandle extends Handle {
  /** Distinguishes kinds of handles. */
  readonly kind: 'encoding';
  /** Of the encoding: 'rope'. */
  readonly id: string;
}

/** A key-value cache that was made by `createCache` or `forkCache`. */
export interface CacheHandle extends Handle {
  /** Distinguishes kinds of handles. */
  readonly kind: 'cache';
}
