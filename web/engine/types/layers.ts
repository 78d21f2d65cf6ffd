// Requests and results of an attention layer.

import type { PermutationResult } from './analysis.ts';
import type { AttentionOutput, AttentionResult, Mask, ParameterGradients, WithOutputs } from './attention.ts';
import type { AttentionOptions, OptionGradients } from './attention-options.ts';
import type { EncodingSpec, NumberList } from './encodings.ts';
import type { WithGradientOuts, WithOuts } from './out.ts';
import type { Tensor, TensorInput } from './tensors.ts';

/** Embeddings, and the attention layer to apply to them. */
export interface SelfAttentionRequest extends AttentionOptions {
  /** [length, dim], the embeddings of the tokens */
  readonly x: TensorInput;
  /** Number of heads, which must divide dim. */
  readonly heads: number;
  /**
   * The encoding; default: 'none'. If its table has fewer channels than `x`, it is added to the first channels; a wider table is rejected.
   */
  readonly encoding?: EncodingSpec | undefined;
  /** With 'causal', a token attends to itself and to earlier tokens; default: 'none'. */
  readonly mask?: Mask | undefined;
  /** Size of the sliding window. Keys at this distance or more from the query are masked, except sink tokens. */
  readonly window?: number | undefined;
  /** Position of the first token, or of the first token of each text with `segmentIds`; default: 0. */
  readonly positionOffset?: number | undefined;
  /**
   * If several texts are packed, the segment id of each token: [length], like `keySegmentIds` of AttentionRequest. Default: a single text.
   */
  readonly segmentIds?: NumberList | undefined;
  /** Scale of q.k; default: as in AttentionRequest, with the head size dim / heads. */
  readonly scale?: number | undefined;
  /**
   * The projections to queries, keys and values: the identity (default), or three random orthogonal matrices that are drawn from `seed`.
   */
  readonly projections?: 'identity' | 'orthogonal' | undefined;
  /** Seed of the random projections, a whole number; default: 0. */
  readonly seed?: number | undefined;
  /** The results other than the output; default: none. */
  readonly outputs?: readonly AttentionOutput[] | undefined;
  /** Limits weights, scores, bias and sink weights to this head: [1, length, length] or [1, length]. */
  readonly head?: number | undefined;
}

/** A call to `selfAttention`, whose result depends on `outputs` and `computeOutput`. */
export type SelfAttentionCall<W extends readonly AttentionOutput[], O extends boolean> = WithOutputs<SelfAttentionRequest, W> & {
  /**
   * If false, the result contains only the tensors of `outputs`. Only the head `head` is then computed, which is faster. The tensors are
   * bitwise equal to those of a full call. Default: true.
   */
  readonly computeOutput?: O | undefined;
};

/**
 * The result of `selfAttention`, like AttentionResult. `output` is [length, dim], the concatenated outputs of the heads. It is absent with
 * `computeOutput: false`.
 */
export type SelfAttentionResult<
  W extends readonly AttentionOutput[] = readonly AttentionOutput[],
  O extends boolean = true,
> = O extends true ? AttentionResult<W> : Omit<AttentionResult<W>, 'output'>;

/** A call to `selfAttention`, and the gradient of a loss with respect to its output. */
export type SelfAttentionBackwardRequest = Omit<SelfAttentionRequest, 'outputs' | 'head'> & {
  /** [length, dim], dL/d(output) */
  readonly dOutput: TensorInput;
} & WithGradientOuts<'dx' | keyof OptionGradients>;

/** The gradients of a loss with respect to the arguments of `selfAttention`. */
export interface SelfAttentionGradients extends OptionGradients {
  /** dL/dx: [length, dim]. */
  readonly dx: Tensor;
  /** dL/d(parameter) of each learned parameter, shaped like the parameter; empty for an encoding without learned parameters. */
  readonly parameters: ParameterGradients;
}

/** A call to `selfAttention`, and a second order of its tokens. */
export interface PermutationTestRequest extends SelfAttentionRequest, WithOuts<'before' | 'perToken'> {
  /** order[p] is the index in x of the token at position p of the second order. */
  readonly order: NumberList;
}

/** The output of the layer for the reordered tokens, and how it differs from the output for x. */
export type PermutationTestResult<W extends readonly AttentionOutput[] = readonly AttentionOutput[]> = SelfAttentionResult<W> &
  PermutationResult & {
    /** [length, dim], the output for x in its original order */
    readonly before: Tensor;
  };
