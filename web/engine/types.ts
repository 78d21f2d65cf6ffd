// The public names of the engine. What its methods take and give is written by topic beside this file.

import type {
  Decodability,
  DistanceProfile,
  PermutationRequest,
  PermutationResult,
  Principal,
  ReorderRequest,
  ReorderResult,
  RotationResidualRequest,
  ShiftMatrixRequest,
  Spectrum,
  TableFacts,
} from './analysis-types.ts';
import type {
  AttentionGradientRequest,
  AttentionGradients,
  AttentionRequest,
  AttentionResult,
  CacheRequest,
  DecodeRequest,
  DecodeResult,
  LayerGradientRequest,
  LayerGradients,
  LayerRequest,
  LayerResult,
} from './attention-types.ts';
import type {
  BiasRequest,
  CombineRequest,
  EncodingChoice,
  EncodingInfo,
  ModelEncoding,
  ModelEncodingRequest,
  Params,
  PositionIdsRequest,
  RopeFrequencies,
  RopeModelRequest,
  RotateRequest,
  RotationMatrixRequest,
  TableRequest,
  Tensor,
} from './encoding-types.ts';

export type * from './analysis-types.ts';
export type * from './attention-types.ts';
export type * from './encoding-types.ts';

/** Everything Phasor computes, on the calling thread. Every method throws a PhasorError for bad input. */
export interface Phasor {
  /** 'simd' or 'scalar': which WebAssembly file runs. */
  readonly variant: Variant;
  readonly version: string;
  readonly encodings: readonly EncodingInfo[];
  /** The table an `input` encoding adds: [length, width]. */
  table(request: TableRequest): Tensor;
  /** The angles by which a `query_key` encoding turns each pair of channels: [length, pairs], radians. */
  angles(request: TableRequest): Tensor;
  /** What a `score` encoding adds to the scores: [heads, queries, keys]. */
  bias(request: BiasRequest): Tensor;
  /** Queries or keys x [heads, length, width] transformed by a `query_key` encoding. */
  rotate(x: Tensor, request: RotateRequest): Tensor;
  /** What a `query_key` encoding does to a column vector at one position: [width, width]. */
  rotationMatrix(request: RotationMatrixRequest): Tensor;
  /** The frequencies of `rope` or `mrope` after their scaling; width is that of a head. */
  ropeFrequencies(request: { readonly encoding: EncodingChoice; readonly width: number }): RopeFrequencies;
  /**
   * The rotary encoding of a published model, from its parsed config.json (Hugging Face transformers, versions 4 and 5) or only
   * its rope_scaling / rope_parameters; the text model of a multimodal one is found, and what is left out is as the model's family
   * has it. Throws for a key of that dictionary that is missing or unknown, for a value that is of the wrong kind or out of range, and
   * for an object that is not of a model known to have rotary positions.
   */
  ropeModel(config: object, request?: RopeModelRequest): { readonly id: string } & Params;
  /**
   * The positions of a published model, whatever they are: rotary ones as `ropeModel` has them, ALiBi, the buckets of T5, learned tables,
   * sinusoids, DeBERTa's and Transformer-XL's, or none. Throws as `ropeModel` does, and for keys about positions of two kinds.
   */
  modelEncoding(config: object, request?: ModelEncodingRequest): ModelEncoding;
  /** Embeddings with a table added [length, width], or beside it [length, width + table width]. */
  combine(request: CombineRequest): Tensor;
  /** The positions of a text with padding: [tokens], whole numbers, as model families count them. */
  positionIds(request: PositionIdsRequest): Tensor;
  /** Scaled dot-product attention with any encoding except `input` ones, which belong to `layer`. */
  attention(request: AttentionRequest): AttentionResult;
  /** The backward pass of `attention`, streaming too: scores are computed again, never kept. */
  attentionGradient(request: AttentionGradientRequest): AttentionGradients;
  /** Embeddings in, embeddings out: position, projections and attention of one layer. */
  layer(request: LayerRequest): LayerResult;
  /** The backward pass of `layer`, with the gradients of a learned table. */
  layerGradient(request: LayerGradientRequest): LayerGradients;
  /**
   * A cache of keys and values for decoding, as a number that `decode` and `closeCache` take. It lives in the instance that made it: after
   * a cancelled call, or one that ran out of memory, it is gone.
   */
  openCache(request: CacheRequest): { readonly cache: number };
  /** Appends tokens to a cache and lets them attend causally to all it holds, in time linear in its length. */
  decode(request: DecodeRequest): DecodeResult;
  closeCache(request: { readonly cache: number }): { readonly closed: boolean };
  /** Cosine (or dot product) of every pair of rows: [length, length]. */
  similarity(request: { readonly table: Tensor; readonly measure?: 'cosine' | 'dot' }): Tensor;
  /** A square matrix [length, length] averaged along its diagonals. */
  distanceProfile(request: { readonly matrix: Tensor }): DistanceProfile;
  /** Uniqueness, boundedness and norms of a table's rows. */
  tableFacts(request: { readonly table: Tensor }): TableFacts;
  /** Each channel of a table by wavelength. */
  spectrum(request: { readonly table: Tensor }): Spectrum;
  /** The rows of a table in the plane or in space of their largest variance. */
  principalComponents(request: { readonly table: Tensor; readonly components: number }): Principal;
  /** How well a linear reader finds the position in a row; ridge is 0.001 unless given. */
  decodability(request: { readonly table: Tensor; readonly ridge?: number }): Decodability;
  /**
   * The matrix M of a sinusoidal table with table[p + k] = M table[p] for every p: [2 frequencies, 2 frequencies], or as wide as the
   * table of the encoding. Throws for an encoding whose table no matrix moves.
   */
  shiftMatrix(request: ShiftMatrixRequest): Tensor;
  /** Largest |table[p + k] - shift table[p]| of a table [rows, width] of consecutive positions; shift is [width, width], k whole. */
  shiftResidual(request: { readonly table: Tensor; readonly shift: Tensor; readonly k: number }): { readonly largest: number };
  /** How far a `query_key` encoding is from seeing only differences of positions. */
  rotationResidual(request: RotationResidualRequest): { readonly largest: number };
  /** How far a layer is from only having moved its outputs along with its inputs. */
  permutationError(request: PermutationRequest): PermutationResult;
  /** A layer on tokens in another order, beside what it makes of them as they are. */
  reorder(request: ReorderRequest): ReorderResult;
  /** Independent normal numbers, the same for the same seed on every machine. */
  gaussian(request: { readonly seed: number; readonly shape: readonly number[] }): Tensor;
}

export type Variant = 'simd' | 'scalar';

/** How a call in a worker is made: it stands behind the other arguments. */
export interface CallOptions {
  /** Cancels: the call is rejected with the code 'cancelled' and its workers stop at once. Later calls get new ones. */
  readonly signal?: AbortSignal | undefined;
}

/** The same methods, each returning a promise. A worker that dies is replaced: its call is rejected, the next one works. */
export type RemotePhasor = {
  readonly [K in keyof Phasor]: Phasor[K] extends (...args: infer A) => infer R
    ? (...args: [...A, options?: CallOptions]) => Promise<R>
    : Phasor[K];
} & {
  /** Ends the workers; calls still under way are rejected. */
  dispose(): void;
};

/** The same again; `attention` is cut between the workers, with the same result as one worker's, bit for bit. */
export type PhasorPool = RemotePhasor & {
  /** How many there are, at most; they start when they are first needed. */
  readonly workers: number;
};

export interface PhasorOptions {
  /**
   * The WebAssembly file: where it is (a URL, or in Node a path from the working directory), its bytes, or compiled. Left out, the files
   * beside this package are used.
   */
  readonly wasm?: URL | string | BufferSource | WebAssembly.Module;
  /** 'auto' takes SIMD where the engine has it, or what `wasm` is. Beside `wasm`, the file must be the one that is named here. */
  readonly variant?: 'auto' | Variant;
}

export interface PoolOptions extends PhasorOptions {
  /** As many as the machine has cores, and at most 8, unless given. */
  readonly workers?: number;
}
