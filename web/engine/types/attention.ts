// Attention and its backward pass: requests and results. Tensors are [head, token, channel]; those of attention and its backward pass may have a
// batch axis before that, and then all results have it too. Tensors of requests may have any strides.

import type { AttentionOptions, OptionGradients } from './attention-options.ts';
import type { EncodingInput, MaskInput, MaskTensor, NumberList, Positions } from './encodings.ts';
import type { Outs, WithGradientOuts, WithOuts } from './out.ts';
import type { Tensor, TensorInput } from './tensors.ts';

/** Which keys a query attends to: all, or those whose position is at most its own. */
export type Mask = 'none' | 'causal';
/** How the heads of a result are stored: [heads, tokens, dim], or [tokens, heads * dim] as a projection takes it. */
export type OutputLayout = 'head_major' | 'token_major';

/** The results other than the output, each returned only if requested. */
export type AttentionOutput = 'weights' | 'scores' | 'bias' | 'pooledWeights' | 'sinkWeights';

/** The region of the pooled weights, and its resolution. */
export interface PoolingOptions {
  /** Range of queries [from, to); default: all. */
  readonly rows?: readonly [number, number] | undefined;
  /** Range of keys [from, to); default: all. */
  readonly columns?: readonly [number, number] | undefined;
  /** Maximum number of cells per side; default: 64. A region with no more rows or columns than this is not pooled along that axis. */
  readonly size?: number | undefined;
  /** Instead of `size`: the number of queries and of keys per cell. */
  readonly cellSize?: readonly [number, number] | undefined;
}

/** The weights pooled into cells: [heads, row cells, column cells]. Cells of a single weight are exact. */
export interface PooledWeights {
  /** The mean of the weights in each cell. */
  readonly mean: Tensor;
  /** The largest weight in each cell. */
  readonly max: Tensor;
}

/** Token tensors, by the names in `tokens` of the encoding: forget gates, directions, steps. */
export interface TokenTensors {
  readonly [name: string]: TensorInput | undefined;
}

/** Queries, keys and values, and options of attention. */
export interface AttentionRequest extends AttentionOptions {
  /** [heads, queries, dim], or [batch, heads, queries, dim]: each item is bitwise equal to a separate call. */
  readonly q: TensorInput;
  /** [kvHeads, keys, dim]; kvHeads divides heads (grouped-query attention). With a batch axis if q has one. */
  readonly k: TensorInput;
  /** [kvHeads, keys, value dim], with a batch axis if q has one. */
  readonly v: TensorInput;
  /** The encoding; default: 'none'. */
  readonly encoding?: EncodingInput | undefined;
  /** 'causal': a query attends to the keys whose position is at most its own; default: 'none'. */
  readonly mask?: Mask | undefined;
  /** Sliding window: keys at a distance of `window` or more from the query are masked, except sink tokens. */
  readonly window?: number | undefined;
  /** [keys], or a tensor [batch, keys]; 0 or false masks the key (key padding mask). */
  readonly keyMask?: MaskInput | MaskTensor | undefined;
  /**
   * A boolean attn_mask of PyTorch: 0 or false hides the key from the query. [queries, keys], [heads, queries, keys] or [batch, heads,
   * queries, keys], where an extent of 1 is broadcast. A key is visible if `mask`, `window`, segments, `keyMask` and this mask all show it;
   * a row without visible keys has the output 0. A prefix mask requires the mask 'none'.
   */
  readonly attnMask?: MaskTensor | undefined;
  /** A float attn_mask, of the same shapes: added to the scores after the bias of the encoding. -Infinity hides the key. */
  readonly attnBias?: TensorInput | undefined;
  /** Position of the first query, where keys start at 0; default: keys - queries, as with a KV cache. */
  readonly positionOffset?: number | undefined;
  /**
   * Positions of the queries instead of `positionOffset`, in any order (position ids of a padded batch, of image patches): [queries] or a
   * tensor [queries, axes]; with a batch axis, [batch, queries] or [batch, queries, axes], or [queries] for all items. If [batch, queries]
   * could also be [queries, axes] (2 items of 2 queries, 3 of 3) it is rejected; provide [batch, queries, 1]. The encoding, `mask` and
   * `window` all use them. Positions with several coordinates have no order: `mask` and `window` then compare token indices, with the last
   * query at the last key. Requires `keyPositions`. With the mask 'causal', two visible keys at one position are rejected unless segment
   * ids distinguish their texts.
   */
  readonly queryPositions?: Positions | undefined;
  /** Positions of the keys, likewise. */
  readonly keyPositions?: Positions | undefined;
  /**
   * Packed texts: the text of each query, a whole number from 0, [queries] or a tensor [batch, queries]. Tokens of different texts never
   * see each other, and each text gets the result of a separate call: its positions start at 0 unless they are set. Requires
   * `keySegmentIds`, and excludes `positionOffset`. See `segmentIds`.
   */
  readonly querySegmentIds?: NumberList | undefined;
  /** The text of each key, likewise. */
  readonly keySegmentIds?: NumberList | undefined;
  /**
   * Scale of q.k. Default: the encoding's own, which is 1 for t5, 1/sqrt(3 headDim) for deberta (1/sqrt(2 headDim) with only one of its
   * terms) and 1/sqrt(headDim) for all others.
   */
  readonly scale?: number | undefined;
  /**
   * Layout of `output`, and in the backward pass of `dOutput`, `dq`, `dk` and `dv`. Default: 'head_major'. Weights, scores, bias and map
   * are always [heads, queries, keys].
   */
  readonly outputLayout?: OutputLayout | undefined;
  /**
   * The token tensors of the encoding: for `forgetting` log_gates [heads, keys], for `path` w [kvHeads, keys, dim] and beta [kvHeads,
   * keys]. The queries are the last of these tokens, or those from `positionOffset` on. With a batch axis if q has one.
   */
  readonly tokenTensors?: TokenTensors | undefined;
  /** The results other than the output; default: none. */
  readonly outputs?: readonly AttentionOutput[] | undefined;
  /** Return weights, scores, bias and sink weights of this head only: [1, queries, keys] or [1, queries]. */
  readonly head?: number | undefined;
  /** Options of the pooled weights when `outputs` includes 'pooledWeights'. Computing it allocates no [queries, keys] array, so it works for any sequence length. */
  readonly pooling?: PoolingOptions | undefined;
}

/** A request whose `outputs` is exactly W: the result depends on it. Requested results may be written into the caller's arrays. */
export type WithOutputs<Request, W extends readonly AttentionOutput[]> = Request & {
  /** The results other than the output; default: none. */
  readonly outputs?: W | undefined;
} & WithOuts<'output' | 'weights' | 'scores' | 'bias' | 'sinkWeights'> & {
    /** Arrays that results are written into, by their names; default: new ones. */
    readonly out?:
      | {
          /** The arrays of the pooled weights, by name. */
          readonly pooledWeights?: Outs<'mean' | 'max'> | undefined;
        }
      | undefined;
  };

/** The results that are returned only if requested. */
export interface OptionalOutputs {
  /** [heads, queries, keys], rows sum to 1 (or 0 when all keys are masked), with sinks to 1 - sinkWeights */
  readonly weights: Tensor;
  /** [heads, queries, keys], the input of the softmax: scale * q.k + bias + attnBias, after a soft cap; -Infinity where masked */
  readonly scores: Tensor;
  /** [heads, queries, keys], the bias added by the encoding */
  readonly bias: Tensor;
  /** The weights pooled into cells. */
  readonly pooledWeights: PooledWeights;
  /** [heads, queries], the weight of the sink in each row; rejected without `sinks` */
  readonly sinkWeights: Tensor;
}

/**
 * The literals that the type of an `outputs` certainly contains: those of a literal list. For a list created at run time there are none.
 */
type Certain<W> = W extends readonly [infer First, ...infer Rest] ? (IsOne<First> extends true ? First : never) | Certain<Rest> : never;
type IsOne<T, All = T> = [T] extends [never] ? false : T extends All ? ([All] extends [T] ? true : false) : never;
type OneOf<W> = W extends readonly (infer Word)[] ? Word : never;

/**
 * With `outputs: ['weights']` the result has `weights`; with a list created at run time it may have them; without `outputs` it does not.
 */
export type AttentionResult<W extends readonly AttentionOutput[] = readonly AttentionOutput[]> = {
  /** [heads, queries, value dim], or [queries, heads * value dim] with outputLayout 'token_major' */
  readonly output: Tensor;
} & Pick<OptionalOutputs, Certain<W> & AttentionOutput> &
  Partial<Pick<OptionalOutputs, Exclude<OneOf<W>, Certain<W>> & AttentionOutput>>;

/** Gradients of an encoding's learned parameters, by parameter name. */
export type ParameterGradients = { readonly [parameter: string]: Tensor };

/** A call of `attention`, and the gradient of a loss with respect to its output. */
export type AttentionBackwardRequest = Omit<AttentionRequest, 'outputs' | 'head' | 'pooling'> & {
  /** The upstream gradient dL/d(output), of the output's shape: [heads, queries, value dim] or [queries, heads * value dim] */
  readonly dOutput: TensorInput;
} & WithGradientOuts<'dq' | 'dk' | 'dv' | 'dAttnBias' | keyof OptionGradients>;

/** Gradients of a loss with respect to the inputs of `attention`. */
export interface AttentionGradients extends OptionGradients {
  /** Same shape as q, or [queries, heads * dim] with outputLayout 'token_major'. */
  readonly dq: Tensor;
  /** Same shape as k, or [keys, kvHeads * dim]. */
  readonly dk: Tensor;
  /** Same shape as v, or [keys, kvHeads * value dim]. */
  readonly dv: Tensor;
  /** dL/d(parameter), of the shape of each learned parameter; empty for an encoding without any. */
  readonly parameters: ParameterGradients;
  /** dL/d(tensor), of the shape of each of `tokenTensors`; empty for a request without any. */
  readonly tokenTensors: ParameterGradients;
  /** dL/d(attnBias), of its shape: summed over broadcast extents, 0 where it is -Infinity. */
  readonly dAttnBias?: Tensor;
}

/** The pair whose bias is explained. */
export type ExplainBiasRequest = Omit<AttentionRequest, 'v' | 'outputs' | 'head' | 'pooling' | 'outputLayout'> & {
  /** Number of the head; default: 0. */
  readonly head?: number | undefined;
  /** Index of the query. */
  readonly query: number;
  /** Index of the key. */
  readonly key: number;
} & WithOuts<'values'>;

/** The computation of the bias of one query and one key. */
export interface BiasExplanation {
  /** The names of the steps, such as distance, bucket, entry, bias. */
  readonly names: readonly string[];
  /** [steps], the value of each; computed in float64. */
  readonly values: Tensor;
  /** The bias that attention adds. */
  readonly bias: number;
  /** |bias - last step|: rounding. */
  readonly maxAbsDiff: number;
}

/** The row that is explained, that of one query. */
export type ExplainSoftmaxRequest = Omit<ExplainBiasRequest, 'key' | 'out'> &
  WithOuts<'product' | 'scaled' | 'bias' | 'score' | 'exponential' | 'weight'>;

/** One row of attention, step by step, computed in float64. Tensors are [keys]. */
export interface SoftmaxExplanation {
  /** q.k, of query and key as transformed by the encoding */
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
  /** The factor on q.k. */
  readonly scale: number;
  /** The largest score or sink; -Infinity when all keys are masked and there is no sink. */
  readonly rowMax: number;
  /** The sum of the exponentials, including that of the sink. */
  readonly rowSum: number;
  /** The weight of the sink; 0 without one. */
  readonly sinkWeight: number;
  /** Maximum difference between these weights and those of `attention`: rounding. */
  readonly maxAbsDiff: number;
}
