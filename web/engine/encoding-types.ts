// Arrays and encodings: what goes in and what comes out. All layouts are row-major, positions are 0-based token counts, and angles are
// radians.

/** A row-major array of float32 numbers with its shape. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Where a positional encoding enters attention. */
export type Injection = 'none' | 'input' | 'query_key' | 'score' | 'score_content' | 'key_value';

/** One parameter of an encoding, as the C++ file of that encoding declares it. */
export interface ParamInfo {
  readonly name: string;
  readonly kind: 'real' | 'integer' | 'choice' | 'boolean' | 'tensor';
  /** What is used when the parameter is not given; null for a tensor, which is then drawn from the parameter `seed`. */
  readonly default: number | string | boolean | null;
  /** Smallest allowed number (numeric kinds only). */
  readonly min: number;
  /** Largest allowed number (numeric kinds only). */
  readonly max: number;
  /** The allowed words of a choice, else empty. */
  readonly choices: readonly string[];
  /** Unit of a number, or an empty string. */
  readonly unit: string;
  /** True when a slider should move on a logarithmic scale. */
  readonly logarithmic: boolean;
  /** One line that says what the parameter does. */
  readonly summary: string;
  /** The axes of a tensor in words, "heads x buckets"; empty otherwise. */
  readonly shape: string;
  /** The words of a choice ('true' or 'false' of a boolean) beside which the parameter has an effect; null when it always has. Beside others it
   *  may be refused. */
  readonly applies: { readonly choice: string; readonly words: readonly string[] } | null;
}

/** What an encoding says about itself. */
export interface EncodingInfo {
  readonly id: string;
  readonly injection: Injection;
  /** True when the encoding has trained numbers. */
  readonly learned: boolean;
  /** True when attention sees only the differences of positions. */
  readonly relative: boolean;
  /** True when the score of a query and a key stays as their positions are exchanged, with default parameters: it cannot tell left from right. */
  readonly symmetric: boolean;
  /** True when the values of a position do not change as the text grows. */
  readonly prefixStable: boolean;
  /** Coordinates of the positions it is made for: 1 in a text, 2 in a picture. */
  readonly axes: number;
  readonly params: readonly ParamInfo[];
}

/** An encoding by name, or with its parameters: `'rope'` or `{ id: 'rope', base: 500000 }`. */
export type EncodingChoice = string | ({ readonly id: string } & Params);
export type ParamValue = number | string | boolean | Tensor;
export type Params = { readonly [name: string]: ParamValue };

/** For each token or key 0 or false, or 1 or true; nothing else. */
export type Flags = ArrayLike<0 | 1 | boolean> | Uint8Array;

/** One position per token as a list or a tensor [tokens], or several coordinates per token as a tensor [tokens, axes]. */
export type Positions = ArrayLike<number> | { readonly shape: readonly number[]; readonly data: ArrayLike<number> };

interface TableBase {
  /** The id of an encoding; its parameters stand beside the other fields. */
  readonly encoding: string;
  readonly width: number;
  readonly [param: string]: ParamValue | Positions | undefined;
}

/** How many positions from `offset` on, 0 unless given; or which. */
export type TableRequest = TableBase & ({ readonly length: number; readonly offset?: number } | { readonly positions: Positions });

interface BiasBase {
  readonly encoding: string;
  readonly heads: number;
  /** Channels of a head, for the few biases that are divided by its root (relative_bias inside the fraction); 1 unless given. */
  readonly width?: number;
  readonly [param: string]: ParamValue | Positions | undefined;
}

/** Keys from position 0 on and queries from `offset` on, keys - queries unless given; or their positions, as a padded batch has them. */
export type BiasRequest = BiasBase &
  (
    | { readonly queries: number; readonly keys: number; readonly offset?: number }
    | { readonly queryPositions: Positions; readonly keyPositions: Positions }
  );

export interface RotateRequest {
  readonly encoding: string;
  /** One position per token; 0, 1, 2 ... unless given. */
  readonly positions?: Positions;
  /** Some methods treat keys differently; 'query' unless given. */
  readonly role?: 'query' | 'key';
  readonly [param: string]: ParamValue | Positions | undefined;
}

export interface RotationMatrixRequest {
  readonly encoding: string;
  /** One position: a number, or its coordinates as a list. */
  readonly position: number | readonly number[];
  /** Channels of a head. */
  readonly width: number;
  readonly role?: 'query' | 'key';
  readonly [param: string]: ParamValue | readonly number[] | undefined;
}

export interface RopeFrequencies {
  /** [pairs], radians per token, after scaling; 0 where a pair stands still ("inv_freq" in most code) */
  readonly inverse: Tensor;
  /** Multiplies cosines and sines of queries and keys, so that scores grow by its square. */
  readonly attentionFactor: number;
}

/** What a model's config.json leaves open. */
export interface RopeModelRequest {
  /** "full_attention" ...: which layers are meant, where they differ. */
  readonly layerType?: string;
  /** Tokens in the text being read, for dynamic and longrope; not beyond the original context unless given. */
  readonly sequenceLength?: number;
}

/** What a model's config.json leaves open; each is needed only where it makes a difference, and asked for there. */
export interface ModelEncodingRequest extends RopeModelRequest {
  /** Which half of an encoder-decoder model is meant. */
  readonly stack?: 'encoder' | 'decoder';
  /** Number of the layer, from 0 on. */
  readonly layerIdx?: number;
}

/** The positions of a published model. */
export interface ModelEncoding {
  /** As every request takes it; learned tables are in the checkpoint, and go beside these parameters. */
  readonly encoding: { readonly id: string } & Params;
  /** The factor on q.k for `attention`, where it is neither 1 / sqrt(width) nor the encoding's own (T5, DeBERTa). */
  readonly scale?: number;
  /** The position of the first token, where it is not 0. */
  readonly offset?: number;
  /** What `positionIds` takes for a text with padding that must not count; its positions include the offset. */
  readonly positionIds?: Pick<PositionIdsRequest, 'how' | 'paddingIdx'>;
  /** The keys of the file that say so, by their paths: `{ model_type: 'bloom', n_head: 16 }`. */
  readonly because: Params;
  /** Keys that the file leaves out, as the config class of the family in transformers 4.57 has them: `{ rope_theta: 10000 }`. */
  readonly defaults: Params;
}

export interface CombineRequest {
  /** [length, width], the embeddings */
  readonly x: Tensor;
  /** [length, table width]; adding needs both widths to be the same. */
  readonly table: Tensor;
  /** 'add' unless given */
  readonly how?: 'add' | 'concatenate';
}

export interface PositionIdsRequest {
  /** One per token; 0 or false is padding. */
  readonly visible: Flags;
  /** fairseq: cumsum(visible) * visible + paddingIdx; opt: cumsum(visible) * visible - 1; bloom: (cumsum(visible) - 1) * visible. */
  readonly how?: 'fairseq' | 'opt' | 'bloom';
  /** Row of the padding token, for fairseq only; 1 unless given. */
  readonly paddingIdx?: number;
  /** Visible tokens that a cache already holds; 0 unless given. */
  readonly past?: number;
}
