// Requests and results of an attention layer.

import type { PermutationResult } from './analysis.ts';
import type { AttentionOutput, AttentionResult, Mask, ParameterGradients, WithOutputs } from './attention.ts';
import type { AttentionOptions, OptionGradients } from './attention-options.ts';
import type { EncodingSpec, NumberList } from './encodings.ts';
import type { WithGradientOuts, WithOuts } from './out.ts';
import type { Tensor, TensorInput } from './tensors.ts';

/** Token embeddings, and the attention layer to apply to them. */
export interface SelfAttentionRequest extends AttentionOptions {
  /** [length, dim], the embeddings of the tokens */
  readonly x: TensorInput;
  /** Number of heads, which must divide dim. */
  readonly heads: number;
  /** The encoding; default: 'none'. A table with fewer channels than `x` is added to the first channels; a wider table is rejected. */
  readonly encoding?: EncodingSpec | undefined;
  /** With 'causal', a token attends to itself and to earlier tokens; default: 'none'. */
  readonly mask?: Mask | undefined;
  /** Size of the sliding window. Keys at a distance of `window` or more from the query are masked, except sink tokens. */
  readonly window?: number | undefined;
  /** Position of the first token, or with `segmentIds`, of the first token of each sequence; default: 0. */
  readonly positionOffset?: number | undefined;
  /** The segment id of each token, for packed sequences: [length], as `keySegmentIds` in AttentionRequest. Default: a single sequence. */
  readonly segmentIds?: NumberList | undefined;
  /** Scale of q.k; default: as in AttentionRequest, with the head size dim / heads. */
  readonly scale?: number | undefined;
  /** The projections to queries, keys and values: the identity (default), or three random orthogonal matrices drawn from `seed`. */
  readonly projections?: 'identity' | 'orthogonal' | undefined;
  /** Seed of the random projections, a whole number; default: 0. */
  readonly seed?: number | undefined;
  /** Results to return besides the output; default: none. */
  readonly outputs?: readonly AttentionOutput[] | undefined;
  /** The head for which to return weights, scores and bias, [1, length, length], and sink weights, [1, length]; default: all heads. */
  readonly head?: number | undefined;
}

/** The arguments of `selfAttention`. The type of the result depends on `outputs` and `computeOutput`. */
export type SelfAttentionCall<W extends readonly AttentionOutput[], O extends boolean> = WithOutputs<SelfAttentionRequest, W> & {
  /**
   * If false, returns only the tensors in `outputs`, bitwise equal to those of a full call. Other heads than `head` are then not computed,
   * which is faster. Default: true.
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

/** The arguments of `selfAttention`, and the gradient of a loss with respect to its output. */
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

/** The arguments of `selfAttention`, and a second order of its tokens. */
export interface PermutationTestRequest extends SelfAttentionRequest, WithOuts<'before' | 'perToken'> {
  /** The second order of the tokens: order[p] is the index in x of the token at position p. */
  readonly order: NumberList;
}

/** The output of the layer for the reordered tokens, and how it differs from the output for x. */
export type PermutationTestResult<W extends readonly AttentionOutput[] = readonly AttentionOutput[]> = SelfAttentionResult<W> &
  PermutationResult & {
    /** [length, dim], the output for x in its original order */
    readonly before: Tensor;
  };
