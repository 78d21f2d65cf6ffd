// Positions of published models: requests and results.

import type { EncodingConfig, Params, PositionIdsRequest } from './encodings.ts';

/** What config.json does not determine. */
export interface RopeConfigOptions {
  /** Selects the layers, such as "full_attention", in models whose layers differ by type. */
  readonly layerType?: string | undefined;
  /** Index of the layer, from 0, in models whose layers differ. It determines the type too. */
  readonly layerIdx?: number | undefined;
  /** Current sequence length, for dynamic and longrope scaling; default: at most the original context length. */
  readonly sequenceLength?: number | undefined;
}

/** What a model's config.json leaves open; each is required only where it makes a difference. */
export interface ConfigOptions extends RopeConfigOptions {
  /** Which half of an encoder-decoder model is meant. */
  readonly stack?: 'encoder' | 'decoder';
}

/** A norm of queries and keys; its weights, where it has some, are in the checkpoint. */
export interface LayerQkNorm {
  /** Vectors are divided by the root of their mean square; `layer`: after their mean is subtracted. */
  readonly norm: 'rms' | 'layer';
  /** Each head of a token, or all heads of a token as one vector (OLMo). */
  readonly over: 'head' | 'all_heads';
  /** How the weight multiplies: as it is, or 1 + weight (Gemma); `none`: there is no weight (Llama 4). */
  readonly weightForm: 'plain' | 'one_plus' | 'none';
  /** Whether vectors are normalised before the encoding moves them or after. */
  readonly order: 'before_encoding' | 'after_encoding';
  /** Added to the mean square. */
  readonly eps: number;
}

/** What the attention of one layer of a published model does. */
export interface ConfigLayer {
  /**
   * What a query may see, as layer_types spells it: "full_attention", "sliding_attention", "chunked_attention" and others. A layer without
   * queries and keys ("linear_attention", "recurrent", "conv", "none") has no other field.
   */
  readonly type: string;
  /** Of a model that has an encoder and a decoder. */
  readonly stack?: 'encoder' | 'decoder';
  /** As every request takes it; `none` in layers without position, absent in layers without queries and keys. */
  readonly encoding?: EncodingConfig;
  /** Heads of queries, where the file says it. */
  readonly heads?: number;
  /** Heads of keys and values, where the file says it; families without grouped heads (GPT-2) have as many as `heads`. */
  readonly kvHeads?: number;
  /** Channels of a query and a key, where the file or the family says it. */
  readonly headDim?: number;
  /** The factor on q.k, where it is neither 1 / sqrt(headDim) nor the encoding's own. */
  readonly scale?: number;
  /** Keys this many positions before the query, or more, are hidden: `window` of `attention`. */
  readonly window?: number;
  /** Of a layer that is not causal: keys more than this many positions behind the query are hidden. */
  readonly windowAhead?: number;
  /** A query sees only keys in the same chunk of this many positions (Llama 4). */
  readonly chunk?: number;
  /** A patch sees only patches in the same square of this many rows and columns (Qwen2.5-VL). */
  readonly patchWindow?: number;
  /** c of c tanh(score / c). */
  readonly softcap?: number;
  /** Absent where a query sees no later key. */
  readonly causal?: false;
  /** Each head has a learned sink, which is in the checkpoint. */
  readonly sinks?: true;
  /** Values are rotated as keys are, which `attention` does not do. */
  readonly rotatesValues?: true;
  /** How queries and keys are normalised, where they are. */
  readonly qkNorm?: LayerQkNorm;
  /** Queries are multiplied by 1 + attnScale ln(1 + floor((position + first) / floorScale)). */
  readonly temperature?: {
    /** Positions in one step of the factor. */
    readonly floorScale: number;
    /** Weight of the logarithm. */
    readonly attnScale: number;
    /** 1: tokens are counted (Llama 4); 0: positions are (Ministral 3). */
    readonly first: number;
  };
}

/** All layers of a published model, in order. */
export interface ConfigLayers {
  /** By index, from 0. */
  readonly layers: readonly ConfigLayer[];
}

/** The positions of a published model. */
export interface ConfigEncoding {
  /** As every request takes it; learned tables are in the checkpoint and are added to these parameters. */
  readonly encoding: EncodingConfig;
  /** A table that is added to the embeddings besides (MPNet). */
  readonly added?: EncodingConfig;
  /** Values are rotated as keys are (RoFormer with rotary_value, DeepSeek-V4), which `attention` does not do. */
  readonly rotatesValues?: true;
  /** The factor on q.k for `attention`, where it is neither 1 / sqrt(headDim) nor the encoding's own (T5, DeBERTa). */
  readonly scale?: number;
  /** The position of the first token, where it is not 0. */
  readonly positionOffset?: number;
  /** What `positionIds` takes for a text with padding that must not count; its positions include the offset. */
  readonly positionIds?: Pick<PositionIdsRequest, 'mode' | 'paddingIdx'>;
  /** The keys of the file that this was read from, by their paths: `{ model_type: 'bloom', n_head: 16 }`. */
  readonly sourceKeys: Params;
  /**
   * Keys that the file leaves out, as the config class of the family in transformers has them: `{ rope_theta: 10000 }`. Where version 5
   * has another default than version 4, which is read, it is beside it: `{ 'rope_theta of transformers 5': 500000 }`.
   */
  readonly defaults: Params;
  /**
   * What neither the file nor a listed family says, and was assumed: `{ layout: 'half_split', rotary_fraction: 1, layers: 'all' }`. Only for a
   * model_type that is not listed.
   */
  readonly assumed?: Params;
}
