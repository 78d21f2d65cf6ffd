// Options shared by attention calls, layers and caches. The mask and the encoding are declared elsewhere.

import type { NumberList } from './encodings.ts';
import type { Tensor } from './tensors.ts';

/** How queries and keys are normalised. */
export interface QkNorm {
  /**
   * The formula for a vector x: 'rms', x / sqrt(mean(x^2) + eps), as in Qwen 3 and Gemma 3 (default); 'layer', the same formula applied to
   * x - mean(x); 'l2', x / max(|x|, eps), whose scores need a `scale` (10 in x-transformers). A vector of zeros stays zero.
   */
  readonly norm?: 'rms' | 'layer' | 'l2' | undefined;
  /** The eps in the formula, from 0 to 1. Default: 1e-6 for 'rms', 1e-5 for 'layer', 1e-12 for 'l2'. */
  readonly eps?: number | undefined;
  /** Whether each head is normalised separately (default), or all heads of a token together, as in OLMo 2. */
  readonly over?: 'head' | 'all_heads' | undefined;
  /** The factor by which normalised vectors are multiplied: the weight (default), or 1 + weight, as in Gemma. */
  readonly weightForm?: 'plain' | 'one_plus' | undefined;
  /** Whether vectors are normalised before the encoding transforms queries and keys (default), or afterwards. */
  readonly order?: 'before_encoding' | 'after_encoding' | undefined;
  /** The weight of queries: [dim], or [heads * dim] over all heads; default: no weight. */
  readonly qWeight?: NumberList | undefined;
  /** The weight of keys: [dim], or [kvHeads * dim] over all heads; default: no weight. */
  readonly kWeight?: NumberList | undefined;
}

/**
 * Options for attention, all off by default. They are applied in this order: normalization of queries and keys, scale * q.k, soft cap,
 * bias, mask, softmax with sinks.
 */
export interface AttentionOptions {
  /**
   * [heads], the learned sink of each query head: an extra logit in the softmax of every row, so that weight j is exp(score j) / (exp(sink)
   * + the sum of exp(score)). It is not scaled, never masked, and has no value: the weights of a row sum to 1 minus the weight of the sink,
   * and a row with all keys masked has output 0 and sink weight 1. -Infinity is the ordinary softmax, 0 is "softmax off by one" (gpt-oss,
   * arXiv 2508.10925).
   */
  readonly sinks?: NumberList | undefined;
  /**
   * The cap c: scale * q.k becomes c * tanh(scale * q.k / c), which stays within [-c, c]. From 1e-30 to 1e30; Gemma 2 uses 50 (arXiv
   * 2408.00118). An encoding whose bias depends on scale * q.k (cope) reads the uncapped product.
   */
  readonly softcap?: number | undefined;
  /** Whether the cap is applied to the sum of product and bias, as in x-transformers. By default, it is applied to the product only. */
  readonly capIncludesBias?: boolean | undefined;
  /** Normalises the queries and keys of each token, with learned weights (arXiv 2010.04245). Default: no norm. */
  readonly qkNorm?: QkNorm | undefined;
  /**
   * Keys at positions below this number are visible even outside the `window`, unless they are masked (4 in StreamingLLM, arXiv
   * 2309.17453). Requires `window`; default: 0. Positions start at 0.
   */
  readonly sinkTokens?: number | undefined;
  /**
   * How the distance to a sink token is measured: i - j ('original', the default), or min(i, sinkTokens + window - 1) - j ('cache'), as in
   * a cache that contains only the sink tokens and the window. 'cache' requires causal attention, and an encoding that depends only on
   * position differences and transforms queries and keys or adds a bias.
   */
  readonly sinkPositions?: 'original' | 'cache' | undefined;
}

/** Gradients of the options that are learned parameters. Each gradient is present if its option was set. */
export interface OptionGradients {
  /** [heads], dL/d(sinks); 0 for a sink of -Infinity */
  readonly dSinks?: Tensor;
  /** dL/d(qkNorm.qWeight), shaped like qWeight */
  readonly dqWeight?: Tensor;
  /** dL/d(qkNorm.kWeight), shaped like kWeight */
  readonly dkWeight?: Tensor;
}
