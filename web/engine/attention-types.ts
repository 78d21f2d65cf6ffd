// Attention, its backward pass, decoding and a layer: what goes in and what comes out. Tensors are [head, token, channel].

import type { EncodingChoice, Flags, Tensor } from './encoding-types.ts';

export type Mask = 'none' | 'causal';
export type Want = 'weights' | 'scores' | 'bias' | 'map';

/** Which part of the weights a map shows, and how finely. */
export interface MapRequest {
  /** Queries [from, to); all unless given. */
  readonly rows?: readonly [number, number];
  /** Keys [from, to); all unless given. */
  readonly columns?: readonly [number, number];
  /** At most this many cells a side; 64 unless given. Where a part has no more rows or columns than this, they are shown one by one. */
  readonly size?: number;
  /** Instead of `size`: queries and keys in a cell. */
  readonly cell?: readonly [number, number];
}

/** The weights pooled into cells: [heads, cells of rows, cells of columns]. Cells of a single weight are exact. */
export interface AttentionMap {
  readonly mean: Tensor;
  readonly max: Tensor;
}

export interface AttentionRequest {
  /** [heads, queries, width] */
  readonly q: Tensor;
  /** [kvHeads, keys, width]; kvHeads divides heads (grouped-query attention). */
  readonly k: Tensor;
  /** [kvHeads, keys, any width] */
  readonly v: Tensor;
  readonly encoding?: EncodingChoice;
  readonly mask?: Mask;
  /** Sliding window: keys this many positions away from the query, or more, are hidden. */
  readonly window?: number;
  /** One per key; 0 or false hides it. */
  readonly keyMask?: Flags;
  /** Position of the first query when keys start at 0; keys - queries unless given (the rule of a KV cache). */
  readonly offset?: number;
  /**
   * Factor on q.k. Unless given, the encoding's own: 1 for t5, 1/sqrt(3 width) for deberta (1/sqrt(2 width) with only one of its terms).
   * All others have 1/sqrt(width), the width of a head.
   */
  readonly scale?: number;
  readonly want?: readonly Want[];
  /** Weights, scores and bias of this head only: [1, queries, keys]. */
  readonly head?: number;
  /** What the map shows, if it is wanted. It needs no [queries, keys] array, so that texts of any length have one. */
  readonly map?: MapRequest;
}

export interface AttentionResult {
  /** [heads, queries, width of v] */
  readonly output: Tensor;
  /** [heads, queries, keys], rows sum to 1 (or 0 when no key is visible) */
  readonly weights?: Tensor;
  /** [heads, queries, keys], what the softmax is given: scale * q.k + bias; -Infinity where masked */
  readonly scores?: Tensor;
  /** [heads, queries, keys], what the encoding added */
  readonly bias?: Tensor;
  readonly map?: AttentionMap;
}

/** The gradients of an encoding's trained numbers, by the names of its parameters. */
export type ParameterGradients = { readonly [parameter: string]: Tensor };

export type AttentionGradientRequest = Omit<AttentionRequest, 'want' | 'head' | 'map'> & {
  /** [heads, queries, width of v], what the loss asks of the output: dL/d(output) */
  readonly dOutput: Tensor;
};

export interface AttentionGradients {
  /** Shaped like q. */
  readonly dq: Tensor;
  /** Shaped like k. */
  readonly dk: Tensor;
  /** Shaped like v. */
  readonly dv: Tensor;
  readonly parameters: ParameterGradients;
}

export interface CacheRequest {
  readonly heads: number;
  /** Divides heads; as many unless given. */
  readonly kvHeads?: number;
  /** Channels of a query and a key. */
  readonly width: number;
  /** Channels of a value; as many unless given. */
  readonly valueWidth?: number;
  /** Tokens the cache may ever hold. */
  readonly maxLength: number;
  readonly encoding?: EncodingChoice;
  /** Sliding window: keys this many positions away from the query, or more, are hidden. */
  readonly window?: number;
  /** Factor on q.k; the encoding's own or 1/sqrt(width) unless given, as in AttentionRequest. */
  readonly scale?: number;
}

export interface DecodeRequest {
  /** What openCache answered. */
  readonly cache: number;
  /** [heads, new, width], the new tokens */
  readonly q: Tensor;
  /** [kvHeads, new, width] */
  readonly k: Tensor;
  /** [kvHeads, new, valueWidth] */
  readonly v: Tensor;
}

export interface DecodeResult {
  /** [heads, new, valueWidth], the same as the last rows of causal attention over the whole text */
  readonly output: Tensor;
  /** Tokens the cache holds now. */
  readonly length: number;
}

export interface LayerRequest {
  /** [length, width], the embeddings of the tokens */
  readonly x: Tensor;
  /** Must divide the width. */
  readonly heads: number;
  /** A table with fewer channels than `x` is added to the first ones; one with more is refused. */
  readonly encoding?: EncodingChoice;
  readonly mask?: Mask;
  /** Sliding window: keys this many positions away from the query, or more, are hidden. */
  readonly window?: number;
  /** Position of the first token; 0 unless given. */
  readonly offset?: number;
  /** Factor on q.k; the encoding's own or 1/sqrt(width / heads) unless given, as in AttentionRequest. */
  readonly scale?: number;
  /** How queries, keys and values are made: the embedding itself, or three orthogonal matrices drawn from `seed`. */
  readonly projections?: 'identity' | 'orthogonal';
  readonly seed?: number;
  readonly want?: readonly Want[];
  /** Weights, scores and bias of this head only: [1, length, length]. */
  readonly head?: number;
}

export interface LayerResult extends AttentionResult {
  /** [length, width], the heads side by side */
  readonly output: Tensor;
}

export type LayerGradientRequest = Omit<LayerRequest, 'want' | 'head'> & {
  /** [length, width], dL/d(output) */
  readonly dOutput: Tensor;
};

export interface LayerGradients {
  /** [length, width] */
  readonly dx: Tensor;
  readonly parameters: ParameterGradients;
}
