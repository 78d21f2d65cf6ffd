// Options of attention, other than its mask and its encoding, in a call, a layer and a cache.

import type { NumberList } from './encodings.ts';
import type { Tensor } from './tensors.ts';

/** The norm of queries and keys. */
export interface QkNorm {
  /**
   * The formula for a vector x: 'rms', x / sqrt(mean(x^2) + eps), as in Qwen 3 and Gemma 3 (default); 'layer', the same of x - mean(x);
   * 'l2', x / max(|x|, eps), whose scores need a `scale` (10 in x-transformers). A vector of zeros stays one.
   */
  readonly norm?: 'rms' | 'layer' | 'l2' | undefined;
  /** From 0 to 1; default: 1e-6 (rms), 1e-5 (layer) or 1e-12 (l2). */
  readonly eps?: number | undefined;
  /** The vectors: the channels of each head (default), or those of all heads of a token concatenated, as in OLMo 2. */
  readonly over?: 'head' | 'all_heads' | undefined;
  /** Multiplies by the weight (default), or by 1 + weight, as in Gemma. */
  readonly weightForm?: 'plain' | 'one_plus' | undefined;
  /** Before the encoding transforms queries and keys (default), or after it. */
  readonly order?: 'before_encoding' | 'after_encoding' | undefined;
  /** [dim], or over all heads [heads * dim]; default: no weight. */
  readonly qWeight?: NumberList | undefined;
  /** [dim], or over all heads [kvHeads * dim]; default: no weight. */
  readonly kWeight?: NumberList | undefined;
}

/**
 * Options of attention. The default of each is off. The order is: norm of queries and keys, scale * q.k, soft cap, bias, mask, softmax with
 * sinks.
 */
export interface AttentionOptions {
  /**
   * [heads], the learned sink of each query head: one more logit of the softmax in every row, so that weight j is exp(score j) / (exp(sink)
   * + the sum of exp(score)). It is not scaled, never masked, and has no value: the weights of a row sum to 1 minus the weight of the sink,
   * and a row with all keys masked has output 0 and sink weight 1. -Infinity is the ordinary softmax, 0 is "softmax off by one" (gpt-oss,
   * arXiv 2508.10925).
   */
  readonly sinks?: NumberList | undefined;
  /**
   * Scores are capped: scale * q.k becomes c * tanh(scale * q.k / c), which stays within [-c, c]. From 1e-30 to 1e30; Gemma 2 has 50 (arXiv
   * 2408.00118). An encoding whose bias depends on scale * q.k (cope) sees it uncapped.
   */
  readonly softcap?: number | undefined;
  /** Whether the cap is applied to the score with its bias, as in x-transformers; default: false, to the product alone. */
  readonly capIncludesBias?: boolean | undefined;
  /** Queries and keys are normalised per token and multiplied by learned weights (arXiv 2010.04245); default: no norm. */
  readonly qkNorm?: QkNorm | undefined;
  /**
   * Keys at positions below this stay visible outside the `window`, which is then required, unless masked (StreamingLLM, arXiv 2309.17453,
   * with 4); default: 0. Positions start at 0.
   */
  readonly sinkTokens?: number | undefined;
  /**
   * The distance of those keys: i - j ('original', default), or min(i, sinkTokens + window - 1) - j ('cache'), as in a cache of them and
   * the window alone, which is for causal attention with encodings of the difference of positions that transform queries and keys or add a
   * bias; others are rejected.
   */
  readonly sinkPositions?: 'original' | 'cache' | undefined;
}

/** Gradients of the learned arrays of the options; each exists if its option was set. */
export interface OptionGradients {
  /** [heads], dL/d(sinks); 0 for a sink of -Infinity */
  readonly dSinks?: Tensor;
  /** dL/d(qkNorm.qWeight), of its shape */
  readonly dqWeight?: Tensor;
  /** dL/d(qkNorm.kWeight), of its shape */
  readonly dkWeight?: Tensor;
}
