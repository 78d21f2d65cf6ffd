// Requests and results for decoding with a key-value cache.

import type { AttentionOutput, AttentionResult, OutputLayout, TokenTensors } from './attention.ts';
import type { AttentionOptions } from './attention-options.ts';
import type { EncodingInput, MaskInput, NumberList } from './encodings.ts';
import type { TensorInput } from './tensors.ts';

/**
 * The sizes and the encoding of a key-value cache. In multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1), each key is
 * the concatenation [content, rotary channels], and rope with `rotary_offset` rotates only the rotary channels. The cache then stores
 * either full heads, with the rotary key repeated in each head, or latents: a single key head [latent, rotary key], with the latent as its
 * value. With latents, the query of each head is [content times the transpose of key_up, rotary channels], the attention output must be
 * multiplied by value_up, and `scale` must be set to 1 / sqrt(content channels + rotary channels), because headDim does not determine it.
 * The caller multiplies by key_up and value_up. For DeepSeek-V3, the cache stores 1,088 floats per token as latents (each latent twice, as
 * key and as value), and 40,960 as full heads.
 */
export interface CreateCacheRequest extends AttentionOptions {
  /** Number of query heads. */
  readonly heads: number;
  /** Number of key and value heads, which must divide heads; default: heads. */
  readonly kvHeads?: number | undefined;
  /** Size of queries and keys. */
  readonly headDim: number;
  /** Size of values; default: the size of keys. */
  readonly vHeadDim?: number | undefined;
  /** Maximum number of tokens. */
  readonly maxLength: number;
  /** The encoding; default: 'none'. */
  readonly encoding?: EncodingInput | undefined;
  /** Size of the sliding window. Keys at a distance of `window` or more from the query are masked, except sink tokens. */
  readonly window?: number | undefined;
  /** Scale of q.k; default: as in AttentionRequest. */
  readonly scale?: number | undefined;
  /** Layout of the outputs of `decode`; default: 'head_major'. */
  readonly outputLayout?: OutputLayout | undefined;
}

/** Queries, keys and values of the tokens to append to a cache. */
export interface DecodeRequest {
  /** The queries: [heads, new tokens, headDim]. */
  readonly q: TensorInput;
  /** The keys: [kvHeads, new tokens, headDim]. */
  readonly k: TensorInput;
  /** The values: [kvHeads, new tokens, vHeadDim]. */
  readonly v: TensorInput;
  /**
   * The key padding mask: [new tokens]. 0 or false masks a key in this call and in all later calls (left padding). Default: no key is
   * masked.
   */
  readonly keyMask?: MaskInput | undefined;
  /**
   * The segment id of each new token, for packed sequences (see AttentionRequest): [new tokens]. A token attends only to tokens with the
   * same id, and its position is the number of earlier tokens with that id. Segment ids must be set in all calls or in none.
   */
  readonly segmentIds?: NumberList | undefined;
  /** The encoding's token tensors for the new tokens, as in AttentionRequest. */
  readonly tokenTensors?: TokenTensors | undefined;
  /** Results to return besides the output, for the new tokens; `pooledWeights` is not supported. Default: none. */
  readonly outputs?: readonly AttentionOutput[] | undefined;
  /**
   * The head for which to return weights, scores and bias, [1, new tokens, length], and sink weights, [1, new tokens]; default: all heads.
   */
  readonly head?: number | undefined;
}

/**
 * The attention of the new tokens to the whole sequence. Equivalent to the last rows of `attention` for the whole sequence, with the key
 * masks of all calls concatenated. Weights, scores and bias are [heads, new tokens, length], sink weights are [heads, new tokens], and the
 * output is [heads, new tokens, vHeadDim], or [new tokens, heads * vHeadDim] with outputLayout 'token_major'. `scores` and `bias` are
 * bitwise equal to those of `attention`. Weights differ by at most 1e-6, and outputs by at most 1e-6 times the largest absolute value in v
 * (measured: 2e-7), because the order of summation depends on the number of keys so far. These bounds do not apply if products or sums come
 * close to the limits of float32.
 */
export type DecodeResult<W extends readonly AttentionOutput[] = readonly AttentionOutput[]> = AttentionResult<W> & {
  /** Number of tokens in the cache after this call. */
  readonly length: number;
  /**
   * Memory of the cache in bytes: kvHeads * (headDim + vHeadDim) float32 values per token, with vHeadDim rounded up to a multiple of 16,
   * plus the arrays that the encoding stores. Memory is allocated in steps of 1,024 tokens.
   */
  readonly bytes: number;
};
