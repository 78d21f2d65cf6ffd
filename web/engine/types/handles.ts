// What an engine keeps in its memory between calls, as the caller holds it.

/** What `using` takes, where TypeScript knows of it: lib esnext.disposable, or @types/node. */
export type Disposes = SymbolConstructor extends { readonly dispose: infer S extends symbol } ? { [K in S]: () => void } : object;

/**
 * Something in the memory of one engine, to be used in its calls until it is disposed of. In a pool every worker has a copy; a cache is
 * in the first only. Using a handle after `dispose()`, or in another engine, is an error; so is using one that was lost because the engine's
 * WebAssembly instance was replaced, after a cancelled call or one that ran out of memory.
 */
interface Handle extends Disposes {
  /** Whether its memory has been freed. */
  readonly disposed: boolean;
  /**
   * Frees the memory, after the calls that were made before.
   * @throws {PhasorError} `invalid_argument` when called twice, unlike the end of a `using` block
   * @example
   * ```js
   * const kept = phasor.keep({ shape: [2], data: [1, 2] });
   * kept.dispose();
   * kept.disposed; // true
   * ```
   */
  dispose(): void;
}

/** A tensor that was copied into the engine by `keep`; accepted wherever a request takes a tensor. */
export interface TensorHandle extends Handle {
  /** Tells handles apart. */
  readonly kind: 'tensor';
  /** Of the tensor. */
  readonly shape: readonly number[];
}

/** An encoding that was made by `prepare`. */
export interface PreparedEncoding extends Handle {
  /** Tells handles apart. */
  readonly kind: 'encoding';
  /** Of the encoding: 'rope'. */
  readonly id: string;
}

/** A key-value cache that was made by `openCache` or `forkCache`. */
export interface CacheHandle extends Handle {
  /** Tells handles apart. */
  readonly kind: 'cache';
}
