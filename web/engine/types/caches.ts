// Requests and results for decoding with a key-value cache.

import type { AttentionOutput, AttentionResult, OutputLayout, TokenTensors } from './attention.ts';
import type { AttentionOptions } from './attention-options.ts';
import type { EncodingInput, MaskInput, NumberList } from './encodings.ts';
import type { TensorInput } from './tensors.ts';

/**
 * The sizes of a cache, and its encoding. For multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1) keys are [content,
 * rotary channels], and rope with `rotary_offset` rotates the last channels. A cache stores either whole heads, with the rotary key
 * repeated in each head, or latents: one head of keys, [latent, rotary key], whose values are the latent. With latents, q of each head is
 * [content times the transpose of key_up, rotary channels], the output times value_up is the output of the layer, and `scale` must be set
 * to 1 / sqrt(content + rotary channels), because headDim does not determine the scale. A token of DeepSeek-V3 takes 1,088 numbers as
 * latents (stored as key and as value), and 40,960 as heads. The caller computes the products with key_up and value_up.
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
  /** Size of the sliding window. Keys at this distance or more from the query are masked, except sink tokens. */
  readonly window?: number | undefined;
  /** Scale of q.k; default: as in AttentionRequest. */
  readonly scale?: number | undefined;
  /** Layout of the outputs of `decode`; default: 'head_major'. */
  readonly outputLayout?: OutputLayout | undefined;
}

/** New tokens that are added to a cache. */
export interface DecodeRequest {
  /** The queries: [heads, new tokens, headDim]. */
  readonly q: TensorInput;
  /** The keys: [kvHeads, new tokens, headDim]. */
  readonly k: TensorInput;
  /** The values: [kvHeads, new tokens, vHeadDim]. */
  readonly v: TensorInput;
  /**
   * The key padding mask: [new tokens]. Where it is 0 or false, the key is masked in this call and in all later calls (left padding).
   * Default: no key is masked.
   */
  readonly keyMask?: MaskInput | undefined;
  /**
   * The segment id of each new token, if several texts are packed (as in AttentionRequest): [new tokens]. A token attends only to tokens of
   * the same text, and its position is the number of earlier tokens of that text. Segment ids must be set in all calls or in none.
   */
  readonly segmentIds?: NumberList | undefined;
  /** The token tensors of the encoding for the new tokens, as in AttentionRequest. */
  readonly tokenTensors?: TokenTensors | undefined;
  /** The requested results other than the output, for the new tokens; `pooledWeights` is not supported. Default: none. */
  readonly outputs?: readonly AttentionOutput[] | undefined;
  /** Limits weights, scores, bias and sink weights to this head: [1, new tokens, length] or [1, new tokens]. */
  readonly head?: number | undefined;
}

/**
 * The result of `attention` for the last rows of the whole sequence, with the key masks of all calls concatenated: weights, scores and bias
 * are [heads, new tokens, length], sink weights [heads, new tokens], the output is [heads, new tokens, vHeadDim], or [new tokens, heads *
 * vHeadDim] with outputLayout 'token_major'. Compared with such a call, `scores` and `bias` are bitwise equal, weights differ by at most
 * 1e-6, and outputs by at most 1e-6 times the largest absolute value in v (measured: 2e-7), because the grouping of a sum depends on the
 * number of keys so far. The bounds do not apply to products or sums near the limits of float32.
 */
export type DecodeResult<W extends readonly AttentionOutput[] = readonly AttentionOutput[]> = AttentionResult<W> & {
  /** Number of tokens in the cache after this call. */
  readonly length: number;
  /**
   * Memory of the cache in bytes: kvHeads * (headDim + vHeadDim) float32 numbers per token, and the arrays that the encoding stores.
   * vHeadDim is rounded up to a multiple of 16. Memory is allocated for 1,024 tokens at a time.
   */
  readonly bytes: number;
};
