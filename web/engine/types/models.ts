// Options and results for reading published models' positional encodings from config.json.

import type { EncodingConfig, Params, PositionIdsRequest } from './encodings.ts';

/** Options for choices that config.json leaves open. */
export interface RopeConfigOptions {
  /** Selects a type of layer, such as "full_attention", in models whose layers differ by type. */
  readonly layerType?: string | undefined;
  /** Selects a layer by its index, from 0, in models whose layers differ. The index also determines the type of the layer. */
  readonly layerIdx?: number | undefined;
  /** Current sequence length, which dynamic and longrope scaling depend on. Default: a length within the original context. */
  readonly sequenceLength?: number | undefined;
}

/** Options for all choices that config.json leaves open. Each is required only if the result depends on it. */
export interface ConfigOptions extends RopeConfigOptions {
  /** Selects the encoder or the decoder of an encoder-decoder model. */
  readonly stack?: 'encoder' | 'decoder';
}

/** The norm of queries and keys. Its weights, if any, are in the checkpoint. */
export interface LayerQkNorm {
  /** 'rms' divides vectors by their root mean square; 'layer' subtracts their mean first. */
  readonly norm: 'rms' | 'layer';
  /** Whether each head of a token is normalised separately, or all heads together (OLMo). */
  readonly over: 'head' | 'all_heads';
  /**
   * How the norm's weight scales a normalised vector: by weight ('plain'), by 1 + weight ('one_plus', Gemma), or not at all ('none', Llama
   * 4).
   */
  readonly weightForm: 'plain' | 'one_plus' | 'none';
  /** Whether vectors are normalised before or after the encoding. */
  readonly order: 'before_encoding' | 'after_encoding';
  /** The epsilon that is added to the mean square. */
  readonly eps: number;
}

/** The attention of one layer of a published model. */
export interface ConfigLayer {
  /**
   * The attention type, which determines the visible keys, as spelled in layer_types: "full_attention", "sliding_attention",
   * "chunked_attention" and others. A layer without queries and keys ("linear_attention", "recurrent", "conv", "none") has no other field.
   */
  readonly type: string;
  /** In an encoder-decoder model, the stack that contains the layer. */
  readonly stack?: 'encoder' | 'decoder';
  /** The encoding, in the form that requests accept; `none` in layers without positions, absent in layers without queries and keys. */
  readonly encoding?: EncodingConfig;
  /** Number of query heads; absent if config.json does not specify it. */
  readonly heads?: number;
  /** Number of key and value heads; absent if config.json does not specify it, as in families without grouped-query attention (GPT-2). */
  readonly kvHeads?: number;
  /** Number of channels of a query or key; absent if neither config.json nor the model family determines it. */
  readonly headDim?: number;
  /** Scale of q.k; absent if it is 1 / sqrt(headDim) or the encoding's own scale. */
  readonly scale?: number;
  /** Size of the window: keys at least this many positions before the query are hidden, as with the `window` of `attention`. */
  readonly window?: number;
  /** For a non-causal layer: keys more than this many positions after the query are hidden. */
  readonly windowAhead?: number;
  /** A query attends only to keys in the same chunk of this many positions (Llama 4). */
  readonly chunk?: number;
  /** A patch attends only to patches in the same square of this many rows and columns (Qwen2.5-VL). */
  readonly patchWindow?: number;
  /** The cap c in c * tanh(score / c). */
  readonly softcap?: number;
  /** False if a token also attends to later tokens; absent otherwise. */
  readonly causal?: false;
  /** True if each head has a learned sink, whose value is in the checkpoint. */
  readonly sinks?: true;
  /** True if values are rotated like keys, which `attention` does not support. */
  readonly rotatesValues?: true;
  /** The norm of queries and keys, if there is one. */
  readonly qkNorm?: LayerQkNorm;
  /** Queries are multiplied by 1 + attnScale ln(1 + floor((position + first) / floorScale)). */
  readonly temperature?: {
    /** Number of consecutive positions that share a factor. */
    readonly floorScale: number;
    /** The coefficient of the logarithm. */
    readonly attnScale: number;
    /** The offset added to positions: 1 (Llama 4) or 0 (Ministral 3). */
    readonly first: number;
  };
}

/** All layers of a published model. */
export interface ConfigLayers {
  /** The layers in order; encoder layers precede decoder layers. */
  readonly layers: readonly ConfigLayer[];
}

/** How a published model encodes positions. */
export interface ConfigEncoding {
  /** The encoding, in the form that requests accept. Learned tables are in the checkpoint; the caller adds them to the parameters. */
  readonly encoding: EncodingConfig;
  /** A second table that is also added to the embeddings (MPNet). */
  readonly added?: EncodingConfig;
  /** True if values are rotated like keys (RoFormer with rotary_value, DeepSeek-V4), which `attention` does not support. */
  readonly rotatesValues?: true;
  /** Scale of q.k for `attention`; absent if it is 1 / sqrt(headDim) or the encoding's own scale (T5, DeBERTa). */
  readonly scale?: number;
  /** The position of the first token, if it is not 0. */
  readonly positionOffset?: number;
  /** The options to pass to `positionIds` for padded text. The resulting positions include `positionOffset`. */
  readonly positionIds?: Pick<PositionIdsRequest, 'mode' | 'paddingIdx'>;
  /** The config.json keys that determine the result, with paths and values, such as `{ model_type: 'bloom', n_head: 16 }`. */
  readonly sourceKeys: Params;
  /**
   * Keys missing from config.json, with the defaults of the family's config class in transformers 4: `{ rope_theta: 10000 }`. Defaults that
   * differ in transformers 5 have separate entries: `{ 'rope_theta of transformers 5': 500000 }`.
   */
  readonly defaults: Params;
  /**
   * Assumed values that config.json does not specify: `{ layout: 'half_split', rotary_fraction: 1, layers: 'all' }`. Present only for an
   * unlisted model_type.
   */
  readonly assumed?: Params;
}
