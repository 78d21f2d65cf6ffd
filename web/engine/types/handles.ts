// Handles to tensors, encodings and caches that an engine stores between calls.

import type { AttentionOutput, WithOutputs } from './attention.ts';
import type { DecodeRequest, DecodeResult } from './caches.ts';
import type { CallOptions } from './options.ts';

/**
 * The interface that `using` requires, or `object` if the program does not declare `Symbol.dispose` (with lib esnext.disposable or
 * @types/node).
 */
export type DisposableLike = SymbolConstructor extends { readonly dispose: infer S extends symbol } ? { [K in S]: () => void } : object;

/**
 * An object in the memory of one engine. Calls to this engine accept the handle until `dispose()`; using it later or in another engine is
 * an error. In a pool, every worker has a copy of a tensor or an encoding, but a cache exists only in the first worker. A call that is
 * cancelled or runs out of memory may replace the WebAssembly instance. The handles of the old instance are then lost, and using them is an
 * error.
 */
interface Handle extends DisposableLike {
  /** Whether the memory of the object has been freed. */
  readonly disposed: boolean;
  /**
   * Frees the memory once all earlier calls have finished. Calling it again has no effect. Throws nothing.
   * @example
   * ```js
   * const tensor = phasor.createTensor({ shape: [2], data: [1, 2] });
   * tensor.dispose();
   * tensor.disposed; // true
   * ```
   */
  dispose(): void;
}

/** A tensor that `createTensor` has copied into the engine. Requests accept the handle wherever they accept a tensor. */
export interface TensorHandle extends Handle {
  /** The kind of handle. */
  readonly kind: 'tensor';
  /** The shape of the tensor. */
  readonly shape: readonly number[];
}

/** An encoding created by `createEncoding`. */
export interface EncodingHandle extends Handle {
  /** The kind of handle. */
  readonly kind: 'encoding';
  /** The id of the encoding, such as 'rope'. */
  readonly id: string;
}

/** A key-value cache for decoding, created by `createCache`. */
interface Cache extends Handle {
  /** The kind of handle. */
  readonly kind: 'cache';
  /** Number of tokens in the cache; for a cache in a worker, as of the last response. */
  readonly length: number;
}

/** A key-value cache of an engine on the calling thread. */
export interface KvCache extends Cache {
  /**
   * Appends tokens and computes their causal attention over all tokens in the cache, in time linear in the number of cached tokens.
   * @throws {PhasorError} `invalid_argument` for shapes that do not match the cache, for more than maxLength tokens in total, and for a
   * cache that is disposed or lost
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
   * Keeps the first `length` tokens and drops the others, for example tokens that speculative decoding rejected. Later results are bitwise
   * equal to those of a cache that never contained the dropped tokens.
   * @throws {PhasorError} `invalid_argument` for a length greater than the number of cached tokens, and for a cache that is disposed or
   * lost
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
   * Copies the cache, for example for beam search. The two caches are independent afterwards.
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

/** A key-value cache of an engine in a worker. Its methods are those of KvCache, but return promises. */
export interface RemoteKvCache extends Cache {
  /**
   * `KvCache.decode` in a worker.
   * @throws {PhasorError} rejects with the errors of `KvCache.decode`, with `cancelled` if the signal is aborted, and with `internal` if a
   * worker crashed
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
   * @throws {PhasorError} rejects with the errors of `KvCache.truncate`
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
   * @throws {PhasorError} rejects with the errors of `KvCache.fork`
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
