// Tensors of requests and results. All layouts are row-major.

import type { TensorHandle } from './handles.ts';

/** A result: a row-major float32 array with its shape. */
export interface Tensor {
  /** The length of each axis, for example [tokens, channels]; the last axis is contiguous. */
  readonly shape: readonly number[];
  /** The elements. Their number is the product of the shape. */
  readonly data: Float32Array;
}

/**
 * A tensor with its numbers. `data` may be any typed array or array of numbers, but not of BigInts. The engine computes in float32, so
 * every element is rounded to the nearest float32, as by Math.fround; one that exceeds the range of float32 is rejected as infinite. With
 * `strides` or an `offset`, element (i, j, ...) is data[offset + i * strides[0] + j * strides[1] + ...], as in PyTorch's as_strided, and
 * `data` may have more numbers than the tensor has elements. `splitHeads` and `splitQkv` return such tensors.
 */
export interface TensorData {
  /** The length of each axis, whole numbers. */
  readonly shape: readonly number[];
  /** The elements. Without strides, their number is the product of the shape. */
  readonly data: ArrayLike<number>;
  /** For each axis, the distance in `data` between neighbouring elements, a whole number. 0 repeats an element. Default: row-major. */
  readonly strides?: readonly number[] | undefined;
  /** Index in `data` of the first element; default: 0. */
  readonly offset?: number | undefined;
}

/** A strided view of an array. `splitHeads` and `splitQkv` return such views, and every request accepts them. */
export type TensorView = Required<{ readonly [K in keyof TensorData]: Exclude<TensorData[K], undefined> }>;

/** How the output of a fused projection contains queries, keys and values. */
export interface QkvOptions {
  /** Number of query heads. */
  readonly heads: number;
  /** Number of key and value heads; default: heads. */
  readonly kvHeads?: number | undefined;
  /**
   * The order of the axes in the channels of a token. 'qkv_heads_dim': first all queries, then all keys, then all values (GPT-2, Phi-3,
   * torch.nn.MultiheadAttention). 'heads_qkv_dim': for each head, its query, key and value (GPT-NeoX, BLOOM).
   */
  readonly layout: 'qkv_heads_dim' | 'heads_qkv_dim';
}

/** Views of the queries, keys and values in one array. */
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
