// Requests and results about the positions of published models.

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

/** How queries and keys are normalised. If the norm has weights, they are in the checkpoint. */
export interface LayerQkNorm {
  /** 'rms' divides vectors by their root mean square; 'layer' subtracts their mean first. */
  readonly norm: 'rms' | 'layer';
  /** Whether each head of a token is normalised separately, or all heads together (OLMo). */
  readonly over: 'head' | 'all_heads';
  /** The factor by which a normalised vector is multiplied: the weight, 1 + weight (Gemma), or none (Llama 4). */
  readonly weightForm: 'plain' | 'one_plus' | 'none';
  /** Whether vectors are normalised before or after the encoding. */
  readonly order: 'before_encoding' | 'after_encoding';
  /** Added to the mean square. */
  readonly eps: number;
}

/** The attention of one layer of a published model. */
export interface ConfigLayer {
  /**
   * The kind of visible keys, as spelled in layer_types: "full_attention", "sliding_attention", "chunked_attention" and others. A layer
   * without queries and keys ("linear_attention", "recurrent", "conv", "none") has no other field.
   */
  readonly type: string;
  /** In an encoder-decoder model, the stack that contains the layer. */
  readonly stack?: 'encoder' | 'decoder';
  /** The encoding, in the form of requests; `none` in layers without positions, absent in layers without queries and keys. */
  readonly encoding?: EncodingConfig;
  /** Number of query heads, if config.json determines it. */
  readonly heads?: number;
  /** Number of key and value heads, if config.json determines it. In families without grouped heads (GPT-2), it equals `heads`. */
  readonly kvHeads?: number;
  /** Channels of a query and a key, if the file or the family determines them. */
  readonly headDim?: number;
  /** The factor on q.k. Absent if it is 1 / sqrt(headDim) or the factor of the encoding. */
  readonly scale?: number;
  /** Size of the window: keys that are this many positions or more before the query are hidden, as with `window` of `attention`. */
  readonly window?: number;
  /** For a layer that is not causal: keys that are more than this many positions after the query are hidden. */
  readonly windowAhead?: number;
  /** A query attends only to keys in the same chunk of this many positions (Llama 4). */
  readonly chunk?: number;
  /** A patch attends only to patches in the same square of this many rows and columns (Qwen2.5-VL). */
  readonly patchWindow?: number;
  /** The cap c of c * tanh(score / c). */
  readonly softcap?: number;
  /** False if a token also attends to later tokens; absent otherwise. */
  readonly causal?: false;
  /** True if each head has a learned sink, which is in the checkpoint. */
  readonly sinks?: true;
  /** True if values are rotated like keys, which `attention` does not support. */
  readonly rotatesValues?: true;
  /** The norm of queries and keys, if there is one. */
  readonly qkNorm?: LayerQkNorm;
  /** Queries are multiplied by 1 + attnScale ln(1 + floor((position + first) / floorScale)). */
  readonly temperature?: {
    /** Number of consecutive positions with the same factor. */
    readonly floorScale: number;
    /** The factor on the logarithm. */
    readonly attnScale: number;
    /** The number that is added to positions: 1 (Llama 4) or 0 (Ministral 3). */
    readonly first: number;
  };
}

/** All layers of a published model, in order. */
export interface ConfigLayers {
  /** Layers by index, from 0. */
  readonly layers: readonly ConfigLayer[];
}

/** How a published model encodes positions. */
export interface ConfigEncoding {
  /**
   * The encoding, as used in requests. The tables of learned encodings are in the checkpoint, and the caller adds them to the parameters.
   */
  readonly encoding: EncodingConfig;
  /** A second table that is also added to the embeddings (MPNet). */
  readonly added?: EncodingConfig;
  /** True if values are rotated like keys (RoFormer with rotary_value, DeepSeek-V4), which `attention` does not support. */
  readonly rotatesValues?: true;
  /** The factor on q.k for `attention`. Absent if it is 1 / sqrt(headDim) or the factor of the encoding (T5, DeBERTa). */
  readonly scale?: number;
  /** The position of the first token, if it is not 0. */
  readonly positionOffset?: number;
  /** The options with which `positionIds` computes the positions of a padded text. The positions include the offset. */
  readonly positionIds?: Pick<PositionIdsRequest, 'mode' | 'paddingIdx'>;
  /** The keys of config.json that determine the result, by path, such as `{ model_type: 'bloom', n_head: 16 }`. */
  readonly sourceKeys: Params;
  /**
   * Keys that the file omits, with the values of the config class of the family in transformers 4: `{ rope_theta: 10000 }`. Values that
   * differ in transformers 5 have separate entries: `{ 'rope_theta of transformers 5': 500000 }`.
   */
  readonly defaults: Params;
  /**
   * Assumptions that neither the file nor a listed family confirms: `{ layout: 'half_split', rotary_fraction: 1, layers: 'all' }`. Present
   * only for a model_type that is not listed.
   */
  readonly assumed?: Params;
}
