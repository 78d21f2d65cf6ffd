// The methods that create tensors, encodings and caches in an engine, as part of `Phasor` in api.ts.

import type { CreateCacheRequest } from './caches.ts';
import type { CreateEncodingRequest } from './encodings.ts';
import type { EncodingHandle, KvCache, TensorHandle } from './handles.ts';
import type { TensorData } from './tensors.ts';

export interface ResourceMethods {
  /**
   * Copies a tensor into the engine. Later calls accept the handle and do not copy the data again, except for q, k and the x of
   * `applyRotary`, which WebAssembly changes in place.
   * @throws {PhasorError} `invalid_argument` if shape and data do not match; `resource_exhausted` when there is not enough memory
   * @example
   * ```js
   * const keys = phasor.createTensor(phasor.randomNormal({ seed: 1, shape: [2, 6, 8] }));
   * phasor.attention({ q: keys, k: keys, v: keys }).output.shape; // [2, 6, 8]
   * keys.dispose();
   * ```
   */
  createTensor(tensor: TensorData): TensorHandle;

  /**
   * Creates an encoding, with its parameters and tables, for reuse in calls with these sizes. The handle is accepted by `positionTable`,
   * `rotaryAngles`, `attentionBias`, `applyRotary`, `rotationMatrix`, `ropeFrequencies`, `attention`, `attentionBackward` and
   * `createCache`. Parameters that depend on the sequence length are computed for `length` tokens. Calls with other sizes or more positions
   * are rejected.
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
   * Creates an empty key-value cache for decoding. Its memory grows with the number of tokens.
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for incompatible sizes, and for an encoding
   * that cannot be decoded token by token
   * @example
   * ```js
   * const cache = phasor.createCache({ heads: 8, kvHeads: 2, headDim: 64, maxLength: 4096, encoding: { id: 'rope', layout: 'half_split' }
   * });
   * cache.length; // 0
   * cache.dispose();
   * ```
   */
  createCache(request: CreateCacheRequest): KvCache;
}
