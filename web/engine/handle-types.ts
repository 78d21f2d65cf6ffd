// What an engine keeps in its memory between calls, as the caller holds it.

/** What `using` takes, where TypeScript knows of it: lib esnext.disposable, or @types/node. */
export type Disposes = SymbolConstructor extends { readonly dispose: infer S extends symbol } ? { [K in S]: () => void } : object;

/**
 * Something in the memory of one engine, to be used in its calls until it is disposed of. In a pool every worker has a copy, of a cache only
 * the first. Using a handle after `dispose()`, or in another engine, is an error; so is using one that was lost because the engine's
 * WebAssembly instance was replaced, after a cancelled call or one that ran out of memory.
 */
interface Handle extends Disposes {
  readonly disposed: boolean;
  /** Frees the memory, after the calls that were made before. Throws when called twice, unlike the end of a `using` block. */
  dispose(): void;
}

/** A tensor that was copied into the engine by `keep`; accepted wherever a request takes a tensor. */
export interface TensorHandle extends Handle {
  readonly kind: 'tensor';
  readonly shape: readonly number[];
}

/** An encoding that was made by `prepare`. */
export interface PreparedEncoding extends Handle {
  readonly kind: 'encoding';
  readonly id: string;
}

/** A key-value cache that was made by `openCache` or `forkCache`. */
export interface CacheHandle extends Handle {
  readonly kind: 'cache';
}
