// Decoding with a key-value cache: requests and results.

import type { AttentionOutput, AttentionResult, OutputLayout, TokenTensors } from './attention.ts';
import type { AttentionOptions } from './attention-options.ts';
import type { EncodingInput, MaskInput, NumberList } from './encodings.ts';
import type { TensorInput } from './tensors.ts';

/**
 * The sizes of a cache, and the encoding of its tokens. For multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1) keys
 * are [content, rotary channels], of which rope rotates the last with `rotary_offset`, and a cache stores either whole heads, with the
 * rotary key repeated in each, or latents: one head of keys, [latent, rotary key], whose values are the latent. q of each head is then
 * [content times the transpose of key_up, rotary channels], the output times value_up is that of the layer, and `scale` must be set to 1 /
 * sqrt(content + rotary channels), which headDim no longer determines. A token of DeepSeek-V3 takes 1,088 numbers as a latent, which is
 * stored as key and as value, and 40,960 as heads. The caller computes the products with key_up and value_up.
 */
export interface CreateCacheRequest extends AttentionOptions {
  /** Number of heads of queries. */
  readonly heads: number;
  /** Number of heads of keys and of values, which divides heads; default: heads. */
  readonly kvHeads?: number | undefined;
  /** Size of queries and keys. */
  readonly headDim: number;
  /** Size of values; default: the size of keys. */
  readonly vHeadDim?: number | undefined;
  /** Maximum number of tokens. */
  readonly maxLength: number;
  /** The encoding; default: 'none'. */
  readonly encoding?: EncodingInput | undefined;
  /** Sliding window: keys at a distance of `window` or more from the query are masked, except sink tokens. */
  readonly window?: number | undefined;
  /** Scale of q.k; default: as in AttentionRequest. */
  readonly scale?: number | undefined;
  /** Layout of the outputs of `decode`; default: 'head_major'. */
  readonly outputLayout?: OutputLayout | undefined;
}

/** New tokens for a cache. */
export interface DecodeRequest {
  /** [heads, new tokens, dim] */
  readonly q: TensorInput;
  /** [kvHeads, new tokens, dim] */
  readonly k: TensorInput;
  /** [kvHeads, new tokens, vHeadDim] */
  readonly v: TensorInput;
  /** [new tokens]; 0 or false masks the key, for this call and all later ones (left padding). Default: none is masked. */
  readonly keyMask?: MaskInput | undefined;
  /**
   * [new tokens], the segment id of each, if several texts are packed (as in AttentionRequest): a token attends to the tokens of its text,
   * and its position is their number so far. In all calls or in none.
   */
  readonly segmentIds?: NumberList | undefined;
  /** The token tensors of the encoding for the new tokens, as in AttentionRequest. */
  readonly tokenTensors?: TokenTensors | undefined;
  /** The results other than the output, for the new tokens; no pooled weights. Default: none. */
  readonly outputs?: readonly AttentionOutput[] | undefined;
  /** Return weights, scores, bias and sink weights of this head only: [1, new tokens, length] or [1, new tokens]. */
  readonly head?: number | undefined;
}

/**
 * What `attention` returns for the last rows of the whole sequence, with the key masks of all calls concatenated: weights, scores and bias
 * are [heads, new tokens, length], sink weights [heads, new tokens], the output is [heads, new tokens, vHeadDim], or [new tokens, heads *
 * vHeadDim] with outputLayout 'token_major'. `scores` and `bias` are bitwise equal to it, weights differ by at most 1e-6, and outputs by at
 * most 1e-6 times the largest absolute value in v, because a sum is grouped by the number of keys so far (measured: 2e-7). Sequences with
 * products or sums near the limits of float32 are the exception.
 */
export type DecodeResult<W extends readonly AttentionOutput[] = readonly AttentionOutput[]> = AttentionResult<W> & {
  /** Number of tokens in the cache after this call. */
  readonly length: number;
  /**
   * Bytes of memory: kvHeads * (headDim + vHeadDim) float32 per token, values padded to a multiple of 16 channels, in blocks of 1,024
   * tokens, and the stored arrays of the encoding.
   */
  readonly bytes: number;
};
