// What attention may do beside its mask and its encoding, in a call, a layer and a cache.

import type { NumberList } from './encodings.ts';
import type { Tensor } from './tensors.ts';

/** Options of attention. Each is off unless it is given. A row is scale * q.k, then the soft cap, the bias, the mask, and the softmax with its sink. */
export interface AttentionOptions {
  /**
   * [heads], the learned sink of each query head: one more logit of the softmax in every row, so that weight j is
   * exp(score j) / (exp(sink) + the sum of exp(score)). It is not scaled, never masked, and has no value: the weights of a row sum to 1 minus the
   * weight of the sink, and a row with all keys masked has output 0 and sink weight 1. -Infinity is the ordinary softmax, 0 is "softmax off by
   * one" (gpt-oss, arXiv 2508.10925).
   */
  readonly sinks?: NumberList | undefined;
  /**
   * Scores are capped: scale * q.k becomes c * tanh(scale * q.k / c), which stays within [-c, c]. From 1e-30 to 1e30; Gemma 2 has 50
   * (arXiv 2408.00118). An encoding whose bias depends on scale * q.k (cope) sees it capped.
   */
  readonly softcap?: number | undefined;
  /** Whether the cap is applied to the score with its bias, as in x-transformers; default: false, to the product alone. */
  readonly capIncludesBias?: boolean | undefined;
}

/** Gradients of what is learned in the options; each is there when the option was given. */
export interface OptionGradients {
  /** [heads], dL/d(sinks); 0 for a sink of -Infinity */
  readonly dSinks?: Tensor;
}
