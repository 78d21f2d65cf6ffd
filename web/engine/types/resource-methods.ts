// Tensors, encodings and caches that an engine stores between calls. A part of `Phasor`, in api.ts.

import type { AttentionOutput, WithOutputs } from './attention.ts';
import type { CacheTrimRequest, CreateCacheRequest, DecodeRequest, DecodeResult } from './caches.ts';
import type { CreateEncodingRequest } from './encodings.ts';
import type { CacheHandle, EncodingHandle, TensorHandle } from './handles.ts';
import type { TensorData } from './tensors.ts';

export interface ResourceMethods {
  /**
   * Copies a tensor into the engine. Later calls take its handle instead, without copying the numbers again (except tensors that a call
   * changes in place, inside WebAssembly: q, k and x of `applyRotary`).
   * @throws {PhasorError} `invalid_argument` when shape and data do not fit each other; `resource_exhausted` when there is not enough memory
   * @example
   * ```js
   * const keys = phasor.createTensor(phasor.randomNormal({ seed: 1, shape: [2, 6, 8] }));
   * phasor.attention({ q: keys, k: keys, v: keys }).output.shape; // [2, 6, 8]
   * keys.dispose();
   * ```
   */
  createTensor(tensor: TensorData): TensorHandle;

  /**
   * Makes an encoding once, with its parameters and tables, for calls of the sizes given. Its handle is accepted by `positionTable`, `rotaryAngles`,
   * `attentionBias`, `applyRotary`, `rotationMatrix`, `ropeFrequencies`, `attention`, `attentionBackward` and `createCache`. What depends on the length of
   * the sequence is as for `length` tokens. A call of other sizes, or of more positions, is rejected.
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for a value outside its range
   * @example
   * ```js
   * const rope = phasor.createEncoding({ encoding: { id: 'rope', base: 500000 }, length: 512, dim: 64, heads: 8 });
   * rope.id; // 'rope'
   * phasor.rotaryAngles({ encoding: rope, length: 2 }).shape; // [2, 32]
   * rope.dispose();
   * ```
   */
  createEncoding(request: CreateEncodingRequest): EncodingHandle;

  /**
   * Opens a key-value cache for decoding, empty. Its memory grows with the tokens.
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for sizes that do not fit each other, and for an
   * encoding that cannot be decoded token by token
   * @example
   * ```js
   * const cache = phasor.createCache({ heads: 8, kvHeads: 2, headDim: 64, maxLength: 4096, encoding: { id: 'rope', layout: 'half_split' } });
   * cache.kind; // 'cache'
   * cache.dispose();
   * ```
   */
  createCache(request: CreateCacheRequest): CacheHandle;

  /**
   * Appends tokens to a cache and computes their causal attention over its contents, in time linear in its length.
   * @throws {PhasorError} `invalid_argument` for shapes that are not the cache's, for more tokens than its maxLength, and for a cache that is
   * disposed or lost
   * @example
   * ```js
   * const cache = phasor.createCache({ heads: 2, headDim: 8, maxLength: 16, encoding: 'alibi' });
   * const token = phasor.randomNormal({ seed: 1, shape: [2, 1, 8] }); // [head, new token, channel]
   * phasor.decode({ cache, q: token, k: token, v: token });
   * const { output, weights, length } = phasor.decode({ cache, q: token, k: token, v: token, outputs: ['weights'] });
   * output.shape; // [2, 1, 8]
   * weights.shape; // [2, 1, 2]
   * length; // 2
   * cache.dispose();
   * ```
   */
  decode<const W extends readonly AttentionOutput[] = readonly []>(request: WithOutputs<DecodeRequest, W>): DecodeResult<W>;

  /**
   * Keeps the first `length` tokens of a cache and drops the others, such as rejected tokens of speculative decoding. Later results are
   * bitwise as if they had never been there.
   * @throws {PhasorError} `invalid_argument` for a length beyond the tokens in the cache, and for a cache that is disposed or lost
   * @example
   * ```js
   * const cache = phasor.createCache({ heads: 1, headDim: 4, maxLength: 16 });
   * const tokens = phasor.randomNormal({ seed: 1, shape: [1, 3, 4] });
   * phasor.decode({ cache, q: tokens, k: tokens, v: tokens });
   * phasor.truncateCache({ cache, length: 2 }).length; // 2
   * cache.dispose();
   * ```
   */
  truncateCache(request: CacheTrimRequest): {
    /** Number of tokens in the cache after this call. */
    readonly length: number;
  };

  /**
   * A copy of a cache, as for beam search. Both are independent from then on.
   * @throws {PhasorError} `invalid_argument` for a cache that is disposed or lost; `resource_exhausted` when there is not enough memory
   * @example
   * ```js
   * const cache = phasor.createCache({ heads: 1, headDim: 4, maxLength: 16 });
   * const beam = phasor.forkCache({ cache });
   * cache.dispose();
   * beam.disposed; // false
   * beam.dispose();
   * ```
   */
  forkCache(request: {
    /** The cache to copy. */
    readonly cache: CacheHandle;
  }): CacheHandle;
}
