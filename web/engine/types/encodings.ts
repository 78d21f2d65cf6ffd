// Requests and results of encodings. Positions are 0-based token indices, and angles are in radians.

import type { EncodingTypes } from './encoding-params.ts';
import type { EncodingHandle } from './handles.ts';
import type { WithOut } from './out.ts';
import type { Tensor, TensorData, TensorInput } from './tensors.ts';

/** The ids of the encodings, such as 'rope'. */
export type EncodingId = keyof EncodingTypes;

/** One encoding with its parameters, such as `{ id: 'rope', base: 500000 }`. Omitted parameters have their default values. */
export type EncodingWithParams = EncodingTypes[EncodingId];

/**
 * An encoding with its parameters. The string 'rope' is short for `{ id: 'rope' }` with default parameters. TypeScript checks the id and
 * the parameters of an object. If the id is known only at run time, write `{ id: name as DynamicId, ...params }`.
 */
export type EncodingSpec = EncodingId | (string & {}) | EncodingWithParams | EncodingConfig;
/** An encoding with its parameters, or an encoding handle. */
export type EncodingInput = EncodingSpec | EncodingHandle;
/** The value of a parameter in results. */
export type ParamValue = number | string | boolean | Tensor;
/** Parameters by name. */
export type Params = { readonly [name: string]: ParamValue };
declare const isDynamic: unique symbol;
/** An encoding id that is known only at run time: `name as DynamicId`. */
export type DynamicId = string & {
  /** A brand for type checking, absent at run time. */
  readonly [isDynamic]: never;
};
/** An encoding with any id. It is used in results, and in requests as `{ id: name as DynamicId, ...params }`. */
export type EncodingConfig = {
  /** The id of the encoding, such as 'rope'. */
  readonly id: DynamicId;
} & Params;

/** A parameter in requests. A tensor with one axis may be an array of numbers: `{ id: 'alibi', slopes: [0.5, 0.25] }`. */
export type ParamInput = number | string | boolean | TensorInput | ArrayLike<number>;
/** Parameters in requests, by name. Omitted parameters have their default values. */
export type ParamsInput = { readonly [name: string]: ParamInput | undefined };

/** A mask with one entry per token or key, each 0, 1, false or true. */
export type MaskInput = ArrayLike<0 | 1 | boolean> | Uint8Array;

/** A mask with several axes. */
export interface MaskTensor {
  /** [batch, keys] for `keyMask`; [queries, keys], [heads, queries, keys] or [batch, heads, queries, keys] for `attnMask` */
  readonly shape: readonly number[];
  /** The entries in row-major order. */
  readonly data: MaskInput;
}

/** An array of numbers, or a tensor with one axis. */
export type NumberList = ArrayLike<number> | TensorData;

/**
 * One position per token: an array or a tensor [tokens], or a tensor [tokens, axes] if positions have several coordinates. Positions are
 * float64 and are not rounded.
 */
export type Positions = NumberList;

/** An encoding and its number of channels. */
export type EncodingWithDim =
  | {
      /** The encoding, with its parameters. */
      readonly encoding: EncodingSpec;
      /** Number of channels: the embedding size for `input` encodings, the size of a head for `query_key` encodings. */
      readonly dim: number;
    }
  | {
      /** An encoding handle. */
      readonly encoding: EncodingHandle;
      /** Number of channels, which must equal the handle's; default: the handle's. */
      readonly dim?: number | undefined;
    };

/** Requests either `length` consecutive positions from `positionOffset` (default: 0), or the listed `positions`. */
export type PositionTableRequest = EncodingWithDim &
  WithOut &
  (
    | {
        /** Number of positions. */
        readonly length: number;
        /** The first position; default: 0. */
        readonly positionOffset?: number | undefined;
      }
    | {
        /** The positions, in any order. */
        readonly positions: Positions;
      }
  );

interface BiasHeadDim {
  /** Head size, used only by biases that are divided by its square root (relative_bias with placement 'inside'); default: 1. */
  readonly headDim?: number | undefined;
}
type BiasRequestBase = BiasHeadDim &
  (
    | {
        /** The encoding, with its parameters. */
        readonly encoding: EncodingSpec;
        /** Number of heads. */
        readonly heads: number;
      }
    | {
        /** An encoding handle. */
        readonly encoding: EncodingHandle;
        /** Number of heads, which must equal the handle's; default: the handle's. */
        readonly heads?: number | undefined;
      }
  );

/**
 * Either `keys` consecutive positions starting at 0 and `queries` consecutive positions starting at `positionOffset` (default: keys -
 * queries), or explicit positions, as in a padded batch.
 */
export type AttentionBiasRequest = BiasRequestBase &
  WithOut &
  (
    | {
        /** Number of queries. */
        readonly queries: number;
        /** Number of keys. */
        readonly keys: number;
        /** Position of the first query; default: keys - queries. */
        readonly positionOffset?: number | undefined;
      }
    | {
        /** Positions of the queries, [queries]. */
        readonly queryPositions: Positions;
        /** Positions of the keys, [keys]. */
        readonly keyPositions: Positions;
      }
  );

/** The encoding and the positions for `applyRotary`. */
export interface ApplyRotaryRequest extends WithOut {
  /** A `query_key` encoding. */
  readonly encoding: EncodingInput;
  /** One position per token; default: 0, 1, 2 ... */
  readonly positions?: Positions | undefined;
  /** The token tensors, if the encoding uses them instead of positions (rope_selective). */
  readonly tokenTensors?: { readonly [name: string]: TensorInput | undefined } | undefined;
  /** Whether the vectors are queries or keys. Some encodings treat them differently. Default: 'query'. */
  readonly role?: 'query' | 'key' | undefined;
}

/** The query and key positions for `ropeDistances`. */
export type RopeDistancesRequest = EncodingWithDim & {
  /** Positions of the queries, [queries]. */
  readonly queryPositions: Positions;
  /** Positions of the keys, [keys]. */
  readonly keyPositions: Positions;
} & WithOut;

/** The encoding and the position for `rotationMatrix` of `phasor/analysis`. */
export type RotationMatrixRequest = EncodingWithDim & {
  /** One position, as a number or as an array of coordinates. */
  readonly position: number | ArrayLike<number>;
  /** Whether the vectors are queries or keys. Some encodings treat them differently. Default: 'query'. */
  readonly role?: 'query' | 'key' | undefined;
} & WithOut;

/** The encoding and the sizes for `createEncoding`. In calls to attention with the handle, q, k and v must have these sizes. */
export interface CreateEncodingRequest {
  /** The encoding, with its parameters. */
  readonly encoding: EncodingSpec;
  /** Maximum number of positions per call: keys in attention, rows in a table. */
  readonly length: number;
  /** Number of channels: the embedding size for `input` encodings, the size of a head for all others. */
  readonly dim: number;
  /** Number of heads; default: 1. */
  readonly heads?: number | undefined;
  /** Number of key and value heads; default: heads. */
  readonly kvHeads?: number | undefined;
  /** Size of values; default: the size of keys. */
  readonly vHeadDim?: number | undefined;
  /** Number of coordinates per position; default: 1. */
  readonly axes?: number | undefined;
  /** Scale of q.k for calls with the handle; default: as in AttentionRequest. */
  readonly scale?: number | undefined;
}

/** The frequencies of a rotary encoding. */
export interface RopeFrequencies {
  /** [dim / 2], in radians per token, after scaling; 0 for a pair that does not rotate (`inv_freq` in Hugging Face transformers) */
  readonly invFreq: Tensor;
  /** The factor that multiplies the cosines and sines of both queries and keys. It therefore multiplies scores by its square. */
  readonly attentionFactor: number;
}

/** Embeddings, and a table that `combine` adds to them or concatenates with them. */
export interface CombineRequest extends WithOut {
  /** [length, dim], the embeddings */
  readonly x: TensorInput;
  /** [length, table dim], the table. For 'add', table dim must equal the dim of the embeddings. */
  readonly table: TensorInput;
  /** Whether the table is added or concatenated; default: 'add'. */
  readonly mode?: 'add' | 'concatenate' | undefined;
}

/** Text that contains at most one video. */
export interface VideoPositionsRequest extends WithOut {
  /** Number of text tokens before the video; default: 0. */
  readonly before?: number | undefined;
  /** Numbers of frames, patch rows and patch columns; default: no video. */
  readonly grid?: readonly [frames: number, rows: number, columns: number] | undefined;
  /** Number of text tokens after the video; default: 0. */
  readonly after?: number | undefined;
  /** Difference between the time coordinates of two consecutive frames; default: 2. */
  readonly frameStep?: number | undefined;
}

/** Cumulative lengths of packed sequences. */
export interface SegmentIdsRequest extends WithOut {
  /** [sequences + 1], 0 followed by the end of each sequence */
  readonly cuSeqlens: NumberList;
}

/** A padded sequence, and the convention for its position ids. */
export interface PositionIdsRequest extends WithOut {
  /** The attention mask: [tokens]; 0 or false marks padding. */
  readonly attentionMask: MaskInput;
  /**
   * How to compute position ids from the attention mask m: cumsum(m) * m + paddingIdx ('fairseq', the default), cumsum(m) * m - 1 ('opt'),
   * or (cumsum(m) - 1) * m ('bloom').
   */
  readonly mode?: 'fairseq' | 'opt' | 'bloom' | undefined;
  /** Row of the position table for the padding token ('fairseq' only); default: 1. */
  readonly paddingIdx?: number | undefined;
  /** Number of unmasked tokens already in the KV cache; default: 0. */
  readonly pastLength?: number | undefined;
}
