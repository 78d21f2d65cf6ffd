// Positions of published models: requests and results.

import type { EncodingConfig, Params, PositionIdsRequest } from './encodings.ts';

/** Options for properties that a config.json does not determine. */
export interface RopeConfigOptions {
  /** Selects the layers, such as "full_attention", in models whose layers differ by type. */
  readonly layerType?: string | undefined;
  /** Index of the layer, from 0, in models whose layers differ. It determines the type too. */
  readonly layerIdx?: number | undefined;
  /** Current sequence length, for dynamic and longrope scaling; default: at most the original context length. */
  readonly sequenceLength?: number | undefined;
}

/** Options for properties that a config.json leaves open; each is required only if the result depends on it. */
export interface ConfigOptions extends RopeConfigOptions {
  /** Selects one half of an encoder-decoder model. */
  readonly stack?: 'encoder' | 'decoder';
}

/** A norm of queries and keys; its weights, if any, are in the checkpoint. */
export interface LayerQkNorm {
  /** Vectors are divided by the root of their mean square. */
  readonly norm: 'rms';
  /** Each head of a token, or all heads of a token as one vector (OLMo). */
  readonly over: 'head' | 'all_heads';
  /** The factor: the weight, or 1 + weight (Gemma); `none`: no weight (Llama 4). */
  readonly weightForm: 'plain' | 'one_plus' | 'none';
  /** Whether vectors are normalised before or after the encoding. */
  readonly order: 'before_encoding' | 'after_encoding';
  /** Added to the mean square. */
  readonly eps: number;
}

/** The attention of one layer of a published model. */
export interface ConfigLayer {
  /** The visible keys of a query: all before it, a window, or its chunk. */
  readonly type: 'full_attention' | 'sliding_attention' | 'chunked_attention';
  /** As in requests; `none` in layers without positions. */
  readonly encoding: EncodingConfig;
  /** The factor on q.k, if it is neither 1 / sqrt(headDim) nor that of the encoding. */
  readonly scale?: number;
  /** Keys this many positions away, or more, are hidden: `window` of `attention`. */
  readonly window?: number;
  /** A query sees only keys in the same chunk of this many positions (Llama 4). */
  readonly chunk?: number;
  /** c of c tanh(score / c). */
  readonly softcap?: number;
  /** Each head has a learned sink, which is in the checkpoint. */
  readonly sinks?: true;
  /** The norm of queries and keys, if there is one. */
  readonly qkNorm?: LayerQkNorm;
  /** Queries are multiplied by ln(1 + floor((position + 1) / floorScale)) attnScale + 1 (Llama 4). */
  readonly temperature?: {
    /** Positions in one step of the factor. */
    readonly floorScale: number;
    /** Weight of the logarithm. */
    readonly attnScale: number;
  };
}

/** All layers of a published model, in order. */
export interface ConfigLayers {
  /** By index, from 0. */
  readonly layers: readonly ConfigLayer[];
}

/** The positions of a published model. */
export interface ConfigEncoding {
  /** As in requests; learned tables are in the checkpoint and are added to these parameters. */
  readonly encoding: EncodingConfig;
  /** The factor on q.k for `attention`, if it is neither 1 / sqrt(headDim) nor that of the encoding (T5, DeBERTa). */
  readonly scale?: number;
  /** The position of the first token, if it is not 0. */
  readonly positionOffset?: number;
  /** Arguments of `positionIds` for a padded text; its positions include the offset. */
  readonly positionIds?: Pick<PositionIdsRequest, 'mode' | 'paddingIdx'>;
  /** The keys of the file that determined the result, by their paths: `{ model_type: 'bloom', n_head: 16 }`. */
  readonly sourceKeys: Params;
  /** Missing keys with their defaults in the config class of the family in transformers 4.57: `{ rope_theta: 10000 }`. */
  readonly defaults: Params;
  /**
   * Assumptions about properties that neither the file nor a listed family determines: `{ layout: 'half_split', rotary_fraction: 1, layers: 'all'
   * }`. Only for a model_type that is not listed.
   */
  readonly assumed?: Params;
}
