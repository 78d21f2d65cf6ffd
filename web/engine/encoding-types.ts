// Tensors and encodings: requests and results. All layouts are row-major, positions are 0-based token indices, and angles are in
// radians.

import type { PreparedEncoding, TensorHandle } from './handle-types.ts';
import type { TakesOut } from './out-types.ts';

/** A row-major float32 array with its shape, as results have it. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/**
 * A tensor with its numbers: `data` may be any typed array or array of numbers, except of BigInts. The engine computes in float32, so
 * every element is rounded to the nearest float32, as by Math.fround; one that exceeds the range of float32 is rejected as infinite.
 *
 * With `strides` or an `offset`, element (i, j, ...) is data[offset + i * strides[0] + j * strides[1] + ...], as in PyTorch's as_strided, and
 * `data` may have more numbers than the tensor has elements. `splitHeads` and `splitQkv` make such tensors.
 */
export interface TensorData {
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
  /** Distances in `data` between neighbours along each axis, whole numbers; 0 repeats an element. Default: row-major. */
  readonly strides?: readonly number[] | undefined;
  /** Index in `data` of the first element; default: 0. */
  readonly offset?: number | undefined;
}

/** A view of an array by strides, as `splitHeads` and `splitQkv` return it and every request takes it. */
export type TensorView = Required<{ readonly [K in keyof TensorData]: Exclude<TensorData[K], undefined> }>;

export interface QkvOptions {
  readonly heads: number;
  /** Number of heads of keys and of values; default: heads. */
  readonly kvHeads?: number | undefined;
  /**
   * Order of the axes in the channels of a token. 'qkv_heads_width': all queries, then all keys, then all values (GPT-2, Phi-3,
   * torch.nn.MultiheadAttention). 'heads_qkv_width': head by head its query, its key and its value (GPT-NeoX, BLOOM).
   */
  readonly layout: 'qkv_heads_width' | 'heads_qkv_width';
}

export interface QkvViews {
  readonly q: TensorView;
  readonly k: TensorView;
  readonly v: TensorView;
}

/** A tensor as requests take it: with its numbers, or kept in the engine. */
export type TensorInput = TensorData | TensorHandle;

/** Where a positional encoding enters attention. */
export type Injection = 'none' | 'input' | 'query_key' | 'score' | 'score_content' | 'key_value';

/** One parameter of an encoding, as the C++ file of that encoding declares it. */
export interface ParamInfo {
  readonly name: string;
  readonly kind: 'real' | 'integer' | 'choice' | 'boolean' | 'tensor';
  /** The default value; null for a tensor, which is then initialized from the parameter `seed`. */
  readonly default: number | string | boolean | null;
  /** Smallest allowed value (numeric kinds only). */
  readonly min: number;
  /** Largest allowed value (numeric kinds only). */
  readonly max: number;
  /** The allowed values of a choice; empty for other kinds. */
  readonly choices: readonly string[];
  /** Unit of a numeric parameter, or an empty string. */
  readonly unit: string;
  /** True when a slider for the parameter should be logarithmic. */
  readonly logarithmic: boolean;
  /** One-line description. */
  readonly summary: string;
  /** The symbolic shape of a tensor, such as "heads x buckets"; empty for other kinds. */
  readonly shape: string;
  /**
   * The parameter has an effect only when the parameter `param` has one of `values` ('true' or 'false' for a boolean), and may be rejected
   * otherwise; null when it always has an effect.
   */
  readonly appliesWhen: { readonly param: string; readonly values: readonly string[] } | null;
}

/** The description of an encoding: its injection point, properties and parameters. */
export interface EncodingInfo {
  readonly id: string;
  readonly injection: Injection;
  /** True when the encoding has learned parameters. */
  readonly learned: boolean;
  /** True when attention depends on positions only through their differences. */
  readonly relative: boolean;
  /** True when swapping the positions of a query and a key leaves their score unchanged (default parameters): left and right look alike. */
  readonly symmetric: boolean;
  /** True when the values at a position do not change as the sequence grows. */
  readonly prefixStable: boolean;
  /** Number of coordinates per position: 1 for sequences, 2 for images. */
  readonly axes: number;
  readonly params: readonly ParamInfo[];
}

/** An encoding with its parameters, `{ id: 'rope', base: 500000 }`; a string is short for one with the defaults, `{ id: 'rope' }`. */
export type EncodingChoice = string | ({ readonly id: string } & ParamsInput);
/** The same, or one that is already made. */
export type EncodingInput = EncodingChoice | PreparedEncoding;
export type ParamValue = number | string | boolean | Tensor;
export type Params = { readonly [name: string]: ParamValue };
/** A parameter as requests take it: a tensor of one axis may be an array of numbers, `{ id: 'alibi', slopes: [0.5, 0.25] }`. */
export type ParamInput = number | string | boolean | TensorInput | ArrayLike<number>;
export type ParamsInput = { readonly [name: string]: ParamInput | undefined };

/** A mask with one entry per token or key, each 0, 1, false or true. */
export type Flags = ArrayLike<0 | 1 | boolean> | Uint8Array;

/** An array of numbers, or a tensor of one axis. */
export type NumberList = ArrayLike<number> | TensorData;

/**
 * One position per token as a list or a tensor [tokens], or several coordinates per token as a tensor [tokens, axes]. Positions are float64:
 * they are not rounded.
 */
export type Positions = NumberList;

/** Number of channels: the embedding size for `input` encodings, the size of a head for `query_key` encodings. */
export type EncodingOfWidth =
  | { readonly encoding: EncodingChoice; readonly width: number }
  /** The width of a prepared encoding is known. */
  | { readonly encoding: PreparedEncoding; readonly width?: number | undefined };

/** Either `length` consecutive positions starting at `offset` (default: 0), or explicit `positions`. */
export type TableRequest = EncodingOfWidth &
  TakesOut &
  ({ readonly length: number; readonly offset?: number | undefined } | { readonly positions: Positions });

interface BiasWidth {
  /** Size of a head, for the few biases that are divided by its square root (relative_bias with placement 'inside'); default: 1. */
  readonly width?: number | undefined;
}
type BiasBase = BiasWidth &
  (
    | { readonly encoding: EncodingChoice; readonly heads: number }
    /** The heads and the width of a prepared encoding are known. */
    | { readonly encoding: PreparedEncoding; readonly heads?: number | undefined }
  );

/**
 * Either `keys` consecutive positions starting at 0 and `queries` consecutive positions starting at `offset` (default: keys - queries), or
 * explicit positions, as in a padded batch.
 */
export type BiasRequest = BiasBase &
  TakesOut &
  (
    | { readonly queries: number; readonly keys: number; readonly offset?: number | undefined }
    | { readonly queryPositions: Positions; readonly keyPositions: Positions }
  );

export interface RotateRequest extends TakesOut {
  readonly encoding: EncodingInput;
  /** One position per token; default: 0, 1, 2 ... */
  readonly positions?: Positions | undefined;
  /** Some encodings treat queries and keys differently; default: 'query'. */
  readonly role?: 'query' | 'key' | undefined;
}

export type RotationMatrixRequest = EncodingOfWidth & {
  /** One position: a number, or an array of its coordinates. */
  readonly position: number | ArrayLike<number>;
  readonly role?: 'query' | 'key' | undefined;
} & TakesOut;

/** The sizes an encoding is prepared for. In attention they are those of q, k and v. */
export interface PrepareRequest {
  readonly encoding: EncodingChoice;
  /** Maximum number of positions of a call: of keys in attention, of rows in a table. */
  readonly length: number;
  /** Number of channels: the embedding size for `input` encodings, the size of a head for all others. */
  readonly width: number;
  /** Default: 1. */
  readonly heads?: number | undefined;
  /** Default: heads. */
  readonly kvHeads?: number | undefined;
  /** Size of values; default: width. */
  readonly valueWidth?: number | undefined;
  /** Coordinates per position; default: 1. */
  readonly axes?: number | undefined;
  /** Scale of q.k, which its calls then use; default: as in AttentionRequest. */
  readonly scale?: number | undefined;
}

export interface RopeFrequencies {
  /** [width / 2], radians per token, after scaling; 0 for pairs that are not rotated (`inv_freq` in Hugging Face transformers) */
  readonly invFreq: Tensor;
  /** Multiplies the cosines and sines of queries and keys, so scores are scaled by its square. */
  readonly attentionFactor: number;
}

/** What config.json does not determine. */
export interface RopeModelRequest {
  /** Selects the layers, such as "full_attention", in models whose layers differ. */
  readonly layerType?: string | undefined;
  /** Current sequence length, for dynamic and longrope scaling; default: at most the original context length. */
  readonly sequenceLength?: number | undefined;
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
  readonly positionIds?: Pick<PositionIdsRequest, 'mode' | 'paddingIdx'>;
  /** The keys of the file that say so, by their paths: `{ model_type: 'bloom', n_head: 16 }`. */
  readonly because: Params;
  /** Keys that the file leaves out, as the config class of the family in transformers 4.57 has them: `{ rope_theta: 10000 }`. */
  readonly defaults: Params;
}

export interface CombineRequest extends TakesOut {
  /** [length, width], the embeddings */
  readonly x: TensorInput;
  /** [length, table width]; 'add' requires equal widths. */
  readonly table: TensorInput;
  /** Default: 'add'. */
  readonly mode?: 'add' | 'concatenate' | undefined;
}

export interface PositionIdsRequest extends TakesOut {
  /** [tokens]; 0 or false marks padding. */
  readonly attentionMask: Flags;
  /**
   * The convention (default: 'fairseq'), with m the attention mask:
   * fairseq: cumsum(m) * m + paddingIdx; opt: cumsum(m) * m - 1; bloom: (cumsum(m) - 1) * m.
   */
  readonly mode?: 'fairseq' | 'opt' | 'bloom' | undefined;
  /** Index of the padding token's row in the table, for fairseq only; default: 1. */
  readonly paddingIdx?: number | undefined;
  /** Number of unmasked tokens already in the KV cache; default: 0. */
  readonly past?: number | undefined;
}
