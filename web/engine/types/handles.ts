// Handles of the caller to tensors, encodings and caches that an engine stores between calls.

import type { AttentionOutput, WithOutputs } from './attention.ts';
import type { DecodeRequest, DecodeResult } from './caches.ts';
import type { CallOptions } from './options.ts';

/** The parameter of `using`, where TypeScript has it: lib esnext.disposable, or @types/node. */
export type DisposableLike = SymbolConstructor extends { readonly dispose: infer S extends symbol } ? { [K in S]: () => void } : object;

/**
 * An object in the memory of one engine, for its calls until it is disposed of. In a pool every worker has a copy; a cache exists in the
 * first only. Using a handle after `dispose()`, or in another engine, is an error; so is using one that was lost because the engine's
 * WebAssembly instance was replaced, after a cancelled call or one that ran out of memory.
 */
interface Handle extends DisposableLike {
  /** Whether its memory has been freed. */
  readonly disposed: boolean;
  /**
   * Frees the memory after all earlier calls. A second call does nothing, as with a `DisposableStack`. Throws nothing.
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
  /** The shape of the tensor. */
  readonly shape: readonly number[];
}

/** An encoding created by `createEncoding`. */
export interface EncodingHandle extends Handle {
  /** Distinguishes kinds of handles. */
  readonly kind: 'encoding';
  /** The id of the encoding: 'rope'. */
  readonly id: string;
}

/** A key-value cache for decoding, created by `createCache`. */
interface Cache extends Handle {
  /** Distinguishes kinds of handles. */
  readonly kind: 'cache';
  /** Number of tokens in it; in a worker, by the latest response. */
  readonly length: number;
}

/** A key-value cache of an engine on the calling thread. */
export interface KvCache extends Cache {
  /**
   * Appends tokens and computes their causal attention over the contents of the cache, in time linear in its length.
   * @throws {PhasorError} `invalid_argument` for shapes that are not the cache's, for more tokens than its maxLength, and for a cache that
   * is disposed or lost
   * @example
   * ```js
   * const cache = phasor.createCache({ heads: 2, headDim: 8, maxLength: 16, encoding: 'alibi' });
   * const token = phasor.randomNormal({ seed: 1, shape: [2, 1, 8] }); // [head, new token, channel]
   * cache.decode({ q: token, k: token, v: token });
   * const { output, weights } = cache.decode({ q: token, k: token, v: token, outputs: ['weights'] });
   * output.shape; // [2, 1, 8]
   * weights.shape; // [2, 1, 2]
   * cache.length; // 2
   * cache.dispose();
   * ```
   */
  decode<const W extends readonly AttentionOutput[] = readonly []>(request: WithOutputs<DecodeRequest, W>): DecodeResult<W>;

  /**
   * Keeps the first `length` tokens and drops the others, such as rejected tokens of speculative decoding. Later results are bitwise equal
   * to those of a cache that never had them.
   * @throws {PhasorError} `invalid_argument` for a length beyond the tokens in the cache, and for a cache that is disposed or lost
   * @example
   * ```js
   * const cache = phasor.createCache({ heads: 1, headDim: 4, maxLength: 16 });
   * const tokens = phasor.randomNormal({ seed: 1, shape: [1, 3, 4] });
   * cache.decode({ q: tokens, k: tokens, v: tokens });
   * cache.truncate(2);
   * cache.length; // 2
   * cache.dispose();
   * ```
   */
  truncate(length: number): void;

  /**
   * A copy, as for beam search. Both are independent from then on.
   * @throws {PhasorError} `invalid_argument` for a cache that is disposed or lost; `resource_exhausted` when there is not enough memory
   * @example
   * ```js
   * const cache = phasor.createCache({ heads: 1, headDim: 4, maxLength: 16 });
   * const beam = cache.fork();
   * cache.dispose();
   * beam.disposed; // false
   * beam.dispose();
   * ```
   */
  fork(): KvCache;
}

/** A key-value cache of an engine in a worker: the same methods, each returning a promise. */
export interface RemoteKvCache extends Cache {
  /**
   * `KvCache.decode` in a worker.
   * @throws {PhasorError} as a rejection: as `KvCache.decode`, `cancelled` where the signal says so, and `internal` where a worker died
   * @example
   * ```js
   * const cache = await remote.createCache({ heads: 1, headDim: 4, maxLength: 16 });
   * const token = await remote.randomNormal({ seed: 1, shape: [1, 1, 4] });
   * (await cache.decode({ q: token, k: token, v: token })).output.shape; // [1, 1, 4]
   * cache.length; // 1
   * cache.dispose();
   * ```
   */
  decode<const W extends readonly AttentionOutput[] = readonly []>(
    request: WithOutputs<DecodeRequest, W>,
    options?: CallOptions,
  ): Promise<DecodeResult<W>>;

  /**
   * `KvCache.truncate` in a worker.
   * @throws {PhasorError} as a rejection: as `KvCache.truncate`
   * @example
   * ```js
   * const cache = await remote.createCache({ heads: 1, headDim: 4, maxLength: 16 });
   * await cache.truncate(0);
   * cache.length; // 0
   * cache.dispose();
   * ```
   */
  truncate(length: number, options?: CallOptions): Promise<void>;

  /**
   * `KvCache.fork` in a worker.
   * @throws {PhasorError} as a rejection: as `KvCache.fork`
   * @example
   * ```js
   * const cache = await remote.createCache({ heads: 1, headDim: 4, maxLength: 16 });
   * const beam = await cache.fork();
   * beam.length; // 0
   * for (const one of [cache, beam]) one.dispose();
   * ```
   */
  fork(options?: CallOptions): Promise<RemoteKvCache>;
}
