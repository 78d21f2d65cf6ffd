// Tensors of requests and results. All layouts are row-major.

import type { TensorHandle } from './handles.ts';

/** A row-major float32 array with its shape, as returned in results. */
export interface Tensor {
  /** The length of each axis, for example [tokens, channels]; the last axis is contiguous. */
  readonly shape: readonly number[];
  /** The elements. Their number is the product of the shape. */
  readonly data: Float32Array;
}

/**
 * A tensor, given by its data and its shape. `data` may be any array of numbers or any typed array except BigInt arrays. The engine
 * computes in float32: every element is rounded to the nearest float32, as with Math.fround, and an element outside the range of float32 is
 * rejected as infinite. With `strides` or `offset`, element (i, j, ...) is data[offset + i * strides[0] + j * strides[1] + ...], as in
 * PyTorch's as_strided, and `data` may be longer than the tensor. `splitHeads` and `splitQkv` return such tensors.
 */
export interface TensorData {
  /** The length of each axis, a whole number. */
  readonly shape: readonly number[];
  /** The elements. Without strides, their number is the product of the shape. */
  readonly data: ArrayLike<number>;
  /**
   * The stride of each axis: the distance in `data` between neighbouring elements, a whole number. 0 repeats an element. Default:
   * row-major.
   */
  readonly strides?: readonly number[] | undefined;
  /** Index in `data` of the first element; default: 0. */
  readonly offset?: number | undefined;
}

/** A strided view of an array. `splitHeads` and `splitQkv` return such views, and every request accepts them. */
export type TensorView = Required<{ readonly [K in keyof TensorData]: Exclude<TensorData[K], undefined> }>;

/** The layout of queries, keys and values in the output of a fused projection. */
export interface QkvOptions {
  /** Number of query heads. */
  readonly heads: number;
  /** Number of key and value heads; default: heads. */
  readonly kvHeads?: number | undefined;
  /**
   * The order of queries, keys and values within the channels of a token. 'qkv_heads_dim': first all queries, then all keys, then all
   * values (GPT-2, Phi-3, torch.nn.MultiheadAttention). 'heads_qkv_dim': for each head, its query, key and value (GPT-NeoX, BLOOM).
   */
  readonly layout: 'qkv_heads_dim' | 'heads_qkv_dim';
}

/** Views of the queries, keys and values in a fused array. */
export interface QkvViews {
  /** The queries: [heads, tokens, dim]. */
  readonly q: TensorView;
  /** The keys: [kvHeads, tokens, dim]. */
  readonly k: TensorView;
  /** The values: [kvHeads, tokens, dim]. */
  readonly v: TensorView;
}

/** A tensor in a request: an array with its shape, or a tensor handle. */
export type TensorInput = TensorData | TensorHandle;
