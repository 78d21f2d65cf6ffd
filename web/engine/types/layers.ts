// A layer of attention: requests and results.

import type { PermutationResult } from './analysis.ts';
import type { AttentionResult, Mask, ParameterGradients, Want, Wanting } from './attention.ts';
import type { AttentionOptions, OptionGradients } from './attention-options.ts';
import type { EncodingChoice, NumberList } from './encodings.ts';
import type { TakesGradients, TakesOuts } from './out.ts';
import type { Tensor, TensorInput } from './tensors.ts';

/** Embeddings, and the layer applied to them. */
export interface LayerRequest extends AttentionOptions {
  /** [length, width], the embeddings of the tokens */
  readonly x: TensorInput;
  /** Number of heads, which divides the width. */
  readonly heads: number;
  /** How positions enter; default: 'none'. A table with fewer channels than `x` is added to its first channels; one with more is rejected. */
  readonly encoding?: EncodingChoice | undefined;
  /** 'causal': a token attends to itself and those before it; default: 'none'. */
  readonly mask?: Mask | undefined;
  /** Sliding window: keys at a distance of `window` or more from the query are masked, except sink tokens. */
  readonly window?: number | undefined;
  /** Position of the first token; default: 0. */
  readonly offset?: number | undefined;
  /** Scale of q.k; default: as in AttentionRequest, the size of a head being width / heads. */
  readonly scale?: number | undefined;
  /** Projections to queries, keys and values: the identity (default), or three random orthogonal matrices drawn from `seed`. */
  readonly projections?: 'identity' | 'orthogonal' | undefined;
  /** Of the random projections, a whole number; default: 0. */
  readonly seed?: number | undefined;
  /** What the result has besides the output; default: nothing. */
  readonly want?: readonly Want[] | undefined;
  /** Return weights, scores, bias and sink weights of this head only: [1, length, length] or [1, length]. */
  readonly head?: number | undefined;
}

/** Whether a layer computes and returns its output. */
export type LayerOutput = 'returned' | 'omitted';

/** A call of `layer`, whose result depends on what it wants and on whether the output is omitted. */
export type LayerCall<W extends readonly Want[], O extends LayerOutput> = Wanting<LayerRequest, W> & {
  /**
   * 'omitted': the result has only what `want` names, and of the heads only `head` is computed: the weights of one head of many, for a
   * picture, in a fraction of the time and bitwise the same. Default: 'returned'.
   */
  readonly output?: O | undefined;
};

/** As AttentionResult; the output is [length, width], the outputs of the heads concatenated, unless it is omitted. */
export type LayerResult<W extends readonly Want[] = readonly Want[], O extends LayerOutput = 'returned'> = O extends 'returned'
  ? AttentionResult<W>
  : Omit<AttentionResult<W>, 'output'>;

/** A call of `layer`, and how a loss changes with its output. */
export type LayerGradientRequest = Omit<LayerRequest, 'want' | 'head'> & {
  /** [length, width], dL/d(output) */
  readonly dOutput: TensorInput;
} & TakesGradients<'dx' | keyof OptionGradients>;

/** How a loss changes with what `layer` was given. */
export interface LayerGradients extends OptionGradients {
  /** [length, width], dL/dx */
  readonly dx: Tensor;
  /** dL/d(parameter), of the shape of each learned parameter; empty for an encoding without any. */
  readonly parameters: ParameterGradients;
}

/** A call of `layer`, and another order of its tokens. */
export interface ReorderRequest extends LayerRequest, TakesOuts<'before' | 'perToken'> {
  /** order[p] is the index in x of the token that is placed at index p. */
  readonly order: NumberList;
}

/** The output of the layer for the permuted tokens, and how much it differs from its output for x. */
export type ReorderResult<W extends readonly Want[] = readonly Want[]> = LayerResult<W> &
  PermutationResult & {
    /** [length, width], the output for x in its original order */
    readonly before: Tensor;
  };
