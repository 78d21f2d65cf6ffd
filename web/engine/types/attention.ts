// Requests and results of attention and its backward pass. Tensors are [heads, tokens, channels], optionally with a batch axis in front,
// which all results then have. Requests accept any strides.

import type { AttentionOptions, OptionGradients } from './attention-options.ts';
import type { EncodingInput, MaskInput, MaskTensor, NumberList, Positions } from './encodings.ts';
import type { Outs, WithGradientOuts, WithOuts } from './out.ts';
import type { Tensor, TensorInput } from './tensors.ts';

/** The keys that a query attends to: all keys, or keys at positions up to its own. */
export type Mask = 'none' | 'causal';
/** The layout of heads in a result: [heads, tokens, dim], or [tokens, heads * dim] as input to an output projection. */
export type OutputLayout = 'head_major' | 'token_major';

/** Results of attention other than the output, returned only if requested. */
export type AttentionOutput = 'weights' | 'scores' | 'bias' | 'pooledWeights' | 'sinkWeights';

/** The region of the weights to pool, and the number or size of the cells. */
export interface PoolingOptions {
  /** The queries [from, to) to pool; default: all. */
  readonly rows?: readonly [number, number] | undefined;
  /** The keys [from, to) to pool; default: all. */
  readonly columns?: readonly [number, number] | undefined;
  /** Maximum number of cells per side; default: 64. An axis of at most this length is not pooled. */
  readonly size?: number | undefined;
  /** The number of queries and of keys per cell, instead of `size`. */
  readonly cellSize?: readonly [number, number] | undefined;
}

/** The attention weights pooled into cells: [heads, row cells, column cells]. */
export interface PooledWeights {
  /** The mean weight in each cell. */
  readonly mean: Tensor;
  /** The largest weight in each cell. */
  readonly max: Tensor;
}

/** The token tensors of an encoding, by the names in `EncodingInfo.tokens`. */
export interface TokenTensors {
  readonly [name: string]: TensorInput | undefined;
}

/** Queries, keys and values, and the options of attention. */
export interface AttentionRequest extends AttentionOptions {
  /** The queries: [heads, queries, dim], or [batch, heads, queries, dim]; each item is bitwise equal to a separate call. */
  readonly q: TensorInput;
  /** The keys: [kvHeads, keys, dim], with a batch axis if q has one. kvHeads must divide heads (grouped-query attention). */
  readonly k: TensorInput;
  /** The values: [kvHeads, keys, value dim], with a batch axis if q has one. */
  readonly v: TensorInput;
  /** The encoding; default: 'none'. */
  readonly encoding?: EncodingInput | undefined;
  /** With 'causal', a query attends to keys at positions up to its own; default: 'none'. */
  readonly mask?: Mask | undefined;
  /** Size of the sliding window. Keys at this distance or more from the query are masked, except sink tokens. */
  readonly window?: number | undefined;
  /** The key padding mask: [keys], or a tensor [batch, keys]; 0 or false masks the key. */
  readonly keyMask?: MaskInput | MaskTensor | undefined;
  /**
   * A boolean attn_mask as in PyTorch: 0 or false hides the key from the query. [queries, keys], [heads, queries, keys] or [batch, heads,
   * queries, keys], where an extent of 1 is broadcast. A key is visible if none of `mask`, `window`, the segments, `keyMask` and this mask
   * hides it; a row without visible keys has the output 0. A prefix mask requires the mask 'none'.
   */
  readonly attnMask?: MaskTensor | undefined;
  /** A float attn_mask as in PyTorch, shaped like `attnMask` and added to the scores after the bias. -Infinity hides the key. */
  readonly attnBias?: TensorInput | undefined;
  /** Position of the first query, if key positions start at 0; default: keys - queries, as with a KV cache. */
  readonly positionOffset?: number | undefined;
  /**
   * Positions of the queries instead of `positionOffset`, in any order (for a padded batch or image patches): [queries] or a tensor
   * [queries, axes]; with a batch axis, [batch, queries] or [batch, queries, axes], or [queries] for all items. If [batch, queries] could
   * also be [queries, axes] (2 items of 2 queries, 3 of 3) the shape is rejected; provide [batch, queries, 1]. The encoding, `mask` and
   * `window` all use these positions. Positions with several coordinates have no order: `mask` and `window` then compare token indices,
   * with the last query at the last key. Requires `keyPositions`. With the mask 'causal', two visible keys at the same position are
   * rejected unless segment ids distinguish their texts.
   */
  readonly queryPositions?: Positions | undefined;
  /** Positions of the keys, shaped like `queryPositions`. */
  readonly keyPositions?: Positions | undefined;
  /**
   * The segment id of each query in packed texts: whole numbers from 0, [queries] or a tensor [batch, queries]. Tokens attend only to their
   * own text, as if each text were a separate call: its positions start at 0 unless they are set. Requires `keySegmentIds`, and excludes
   * `positionOffset`. See `segmentIds`.
   */
  readonly querySegmentIds?: NumberList | undefined;
  /** The segment id of each key: [keys] or a tensor [batch, keys]. */
  readonly keySegmentIds?: NumberList | undefined;
  /**
   * Scale of q.k. Default: the scale of the encoding, which is 1 for t5, 1/sqrt(3 headDim) for deberta (1/sqrt(2 headDim) with only one of
   * its terms) and 1/sqrt(headDim) for all others.
   */
  readonly scale?: number | undefined;
  /**
   * Layout of `output`; in the backward pass, of `dOutput`, `dq`, `dk` and `dv`. Default: 'head_major'. Weights, scores and bias are always
   * [heads, queries, keys].
   */
  readonly outputLayout?: OutputLayout | undefined;
  /**
   * The token tensors of the encoding: for `forgetting`, log_gates [heads, keys]; for `path`, w [kvHeads, keys, dim] and beta [kvHeads,
   * keys]. The queries are the last of these tokens, or start at the token `positionOffset`. With a batch axis if q has one.
   */
  readonly tokenTensors?: TokenTensors | undefined;
  /** Requested results other than the output; default: none. */
  readonly outputs?: readonly AttentionOutput[] | undefined;
  /** Limits weights, scores, bias and sink weights to this head: [1, queries, keys] or [1, queries]. */
  readonly head?: number | undefined;
  /** Options for the pooled weights. No array [queries, keys] is allocated, so any length is possible. */
  readonly pooling?: PoolingOptions | undefined;
}

/** A request whose `outputs` W determine the type of the result. */
export type WithOutputs<Request, W extends readonly AttentionOutput[]> = Request & {
  /** Requested results other than the output; default: none. */
  readonly outputs?: W | undefined;
} & WithOuts<'output' | 'weights' | 'scores' | 'bias' | 'sinkWeights'> & {
    /** Arrays for the results, by name; default: new arrays. */
    readonly out?:
      | {
          /** Arrays for the pooled weights, by name. */
          readonly pooledWeights?: Outs<'mean' | 'max'> | undefined;
        }
      | undefined;
  };

/** Results that are returned only if requested. */
export interface OptionalOutputs {
  /** [heads, queries, keys], the weights: rows sum to 1, to 0 if all keys are masked, to 1 - sinkWeights with sinks */
  readonly weights: Tensor;
  /** [heads, queries, keys], the input of the softmax: scale * q.k + bias + attnBias, after the soft cap; -Infinity where masked */
  readonly scores: Tensor;
  /** [heads, queries, keys], the bias added by the encoding */
  readonly bias: Tensor;
  /** The weights pooled into cells. */
  readonly pooledWeights: PooledWeights;
  /** [heads, queries], the weight of the sink in each row; rejected without `sinks` */
  readonly sinkWeights: Tensor;
}

/** The elements of `outputs` if it is a literal list; none if it is created at run time. */
type Literals<W> = W extends readonly [infer First, ...infer Rest]
  ? (IsSingle<First> extends true ? First : never) | Literals<Rest>
  : never;
type IsSingle<T, All = T> = [T] extends [never] ? false : T extends All ? ([All] extends [T] ? true : false) : never;
type ElementOf<W> = W extends readonly (infer Word)[] ? Word : never;

/**
 * The result of `attention`. With `outputs: ['weights']` it has `weights`; with a list created at run time `weights` is optional; without
 * `outputs` it is absent.
 */
export type AttentionResult<W extends readonly AttentionOutput[] = readonly AttentionOutput[]> = {
  /** The output: [heads, queries, value dim], or [queries, heads * value dim] with outputLayout 'token_major' */
  readonly output: Tensor;
} & Pick<OptionalOutputs, Literals<W> & AttentionOutput> &
  Partial<Pick<OptionalOutputs, Exclude<ElementOf<W>, Literals<W>> & AttentionOutput>>;

/** The gradient of each learned parameter of the encoding. */
export type ParameterGradients = { readonly [parameter: string]: Tensor };

/** A call to `attention`, and the gradient of a loss with respect to its output. */
export type AttentionBackwardRequest = Omit<AttentionRequest, 'outputs' | 'head' | 'pooling'> & {
  /** The upstream gradient dL/d(output), shaped like the output: [heads, queries, value dim] or [queries, heads * value dim] */
  readonly dOutput: TensorInput;
} & WithGradientOuts<'dq' | 'dk' | 'dv' | 'dAttnBias' | keyof OptionGradients>;

/** Gradients of a loss with respect to the inputs of `attention`. */
export interface AttentionGradients extends OptionGradients {
  /** dL/dq, shaped like q, or [queries, heads * dim] with outputLayout 'token_major'. */
  readonly dq: Tensor;
  /** dL/dk, shaped like k, or [keys, kvHeads * dim]. */
  readonly dk: Tensor;
  /** dL/dv, shaped like v, or [keys, kvHeads * value dim]. */
  readonly dv: Tensor;
  /** dL/d(parameter) of each learned parameter, in the same shape; empty if the encoding has none. */
  readonly parameters: ParameterGradients;
  /** dL/d(tensor) of each token tensor, in the same shape; empty if there are none. */
  readonly tokenTensors: ParameterGradients;
  /** dL/d(attnBias), shaped like attnBias: summed over broadcast extents, and 0 where attnBias is -Infinity. */
  readonly dAttnBias?: Tensor;
}

/** A call to `attention`, and the query and key whose bias is explained. */
export type ExplainBiasRequest = Omit<AttentionRequest, 'v' | 'outputs' | 'head' | 'pooling' | 'outputLayout'> & {
  /** Index of the head; default: 0. */
  readonly head?: number | undefined;
  /** Index of the query. */
  readonly query: number;
  /** Index of the key. */
  readonly key: number;
} & WithOuts<'values'>;

/** The bias for one query and key, step by step. */
export interface BiasExplanation {
  /** Names of the steps, such as bucket and bias. */
  readonly names: readonly string[];
  /** The value of each step, computed in float64: [steps]. */
  readonly values: Tensor;
  /** The bias that attention adds. */
  readonly bias: number;
  /** Rounding error: |bias - value of the last step|. */
  readonly maxAbsDiff: number;
}

/** A call to `attention`, and the query whose softmax is explained. */
export type ExplainSoftmaxRequest = Omit<ExplainBiasRequest, 'key' | 'out'> &
  WithOuts<'product' | 'scaled' | 'bias' | 'score' | 'exponential' | 'weight'>;

/** One row of attention, step by step, computed in float64. Each tensor is [keys]. */
export interface SoftmaxExplanation {
  /** q.k of the query and each key, after the encoding transforms them */
  readonly product: Tensor;
  /** scale * product */
  readonly scaled: Tensor;
  /** The bias added by the encoding. */
  readonly bias: Tensor;
  /** scaled + bias, after the soft cap; -Infinity where masked */
  readonly score: Tensor;
  /** exp(score - rowMax); 0 where masked */
  readonly exponential: Tensor;
  /** exponential / rowSum */
  readonly weight: Tensor;
  /** The factor by which q.k is multiplied. */
  readonly scale: number;
  /** The largest score or sink; -Infinity when all keys are masked and there is no sink. */
  readonly rowMax: number;
  /** The sum of the exponentials, including that of the sink. */
  readonly rowSum: number;
  /** The weight of the sink; 0 without a sink. */
  readonly sinkWeight: number;
  /** Rounding error: the maximum difference from the weights of `attention`. */
  readonly maxAbsDiff: number;
}
