// The public API of the engine. Requests and results are declared by topic in the files beside this one.

import type {
  DistanceProfile,
  LinearProbeResult,
  PermutationRequest,
  PermutationResult,
  PrincipalComponents,
  ReorderRequest,
  ReorderResult,
  RotationResidualRequest,
  ShiftMatrixRequest,
  Spectrum,
  TableStatistics,
  Waves,
} from './analysis-types.ts';
import type {
  AttentionGradientRequest,
  AttentionGradients,
  AttentionRequest,
  AttentionResult,
  BiasSteps,
  BiasStepsRequest,
  CacheRequest,
  CacheTrimRequest,
  DecodeRequest,
  DecodeResult,
  LayerGradientRequest,
  LayerGradients,
  LayerRequest,
  LayerResult,
  ScoreChain,
  ScoreChainRequest,
  Want,
} from './attention-types.ts';
import type {
  BiasRequest,
  CombineRequest,
  EncodingChoice,
  EncodingInfo,
  EncodingOfWidth,
  ModelEncoding,
  ModelEncodingRequest,
  Params,
  PositionIdsRequest,
  PrepareRequest,
  RopeFrequencies,
  RopeModelRequest,
  RotateRequest,
  RotationMatrixRequest,
  TableRequest,
  Tensor,
  TensorData,
  TensorInput,
} from './encoding-types.ts';
import type { PhasorError } from './errors.ts';
import type { CacheHandle, Disposes, PreparedEncoding, TensorHandle } from './handle-types.ts';
import type { CallOptions } from './option-types.ts';
import type { Outs, TakesOut, TakesOuts } from './out-types.ts';

export type * from './analysis-types.ts';
export type * from './attention-types.ts';
export type * from './encoding-types.ts';
export type * from './handle-types.ts';
export type * from './option-types.ts';
export type * from './out-types.ts';

/** The engine on the calling thread. Every method throws a PhasorError for invalid input. */
export interface Phasor {
  /** What it computes with. */
  readonly variant: Variant;
  readonly version: string;
  readonly encodings: readonly EncodingInfo[];
  /** The table that an `input` encoding adds to the embeddings: [length, width]. */
  table(request: TableRequest): Tensor;
  /** The angles by which a `query_key` encoding rotates each pair of channels: [length, pairs], radians. */
  angles(request: TableRequest): Tensor;
  /** The bias that a `score` encoding adds to the scores: [heads, queries, keys]. */
  bias(request: BiasRequest): Tensor;
  /** Applies a `query_key` encoding to queries or keys x: [heads, length, width]. */
  rotate(x: TensorInput, request: RotateRequest): Tensor;
  /** The matrix by which a `query_key` encoding multiplies a column vector at one position: [width, width]. */
  rotationMatrix(request: RotationMatrixRequest): Tensor;
  /** The frequencies of `rope` or `mrope` after scaling; width is the size of a head. */
  ropeFrequencies(request: EncodingOfWidth & TakesOuts<'invFreq'>): RopeFrequencies;
  /**
   * The rotary encoding of a published model, from its parsed config.json (Hugging Face transformers, versions 4 and 5) or from its
   * rope_scaling / rope_parameters alone. Uses the text model of a multimodal config, and the defaults of the model's family for absent
   * keys. Throws when a RoPE key is missing or unknown, when a value has the wrong type or is out of range, and when the config is not
   * that of a model known to use rotary positions.
   */
  ropeModel(config: object, request?: RopeModelRequest): { readonly id: string } & Params;
  /**
   * The positions of a published model, whatever they are: rotary ones as `ropeModel` has them, ALiBi, the buckets of T5, learned tables,
   * sinusoids, DeBERTa's and Transformer-XL's, or none. Throws as `ropeModel` does, and for keys about positions of two kinds.
   */
  modelEncoding(config: object, request?: ModelEncodingRequest): ModelEncoding;
  /** Adds a table to embeddings: [length, width]; or concatenates them: [length, width + table width]. */
  combine(request: CombineRequest): Tensor;
  /** Position ids of a padded sequence under the conventions of several model families: [tokens], integers. */
  positionIds(request: PositionIdsRequest): Tensor;
  /** Scaled dot-product attention with any encoding except `input` encodings, which `layer` applies. */
  attention<const W extends readonly Want[] = readonly []>(request: Wanting<AttentionRequest, W>): AttentionResult<W>;
  /** The backward pass of `attention`, also streaming: scores are recomputed, not stored. */
  attentionGradient(request: AttentionGradientRequest): AttentionGradients;
  /**
   * How the bias between one query and one key is formed, step by step: distance, bucket, table entry, bias. Throws for an encoding that adds
   * no bias, and for one that needs whole rows (cope, transformer_xl).
   */
  biasSteps(request: BiasStepsRequest): BiasSteps;
  /** How one row of attention weights is formed: products, bias, mask, exponentials, weights. */
  scoreChain(request: ScoreChainRequest): ScoreChain;
  /** One attention layer: positional encoding, projections and multi-head attention, from embeddings to embeddings. */
  layer<const W extends readonly Want[] = readonly []>(request: Wanting<LayerRequest, W>): LayerResult<W>;
  /** The backward pass of `layer`, including the gradient of a learned table. */
  layerGradient(request: LayerGradientRequest): LayerGradients;
  /**
   * Copies a tensor into the engine. Its handle stands for it in every later call, where the numbers are not copied again (only tensors that
   * a call changes in place are, inside WebAssembly: q, k and x of `rotate`).
   */
  keep(tensor: TensorData): TensorHandle;
  /**
   * Makes an encoding once, with its parameters and tables, for calls of the sizes given. Its handle stands for it in `table`, `angles`,
   * `bias`, `rotate`, `rotationMatrix`, `ropeFrequencies`, `attention`, `attentionGradient` and `openCache`. What depends on the length of
   * the sequence is as for `length` tokens. A call of other sizes, or of more positions, is rejected.
   */
  prepare(request: PrepareRequest): PreparedEncoding;
  /** Opens a key-value cache for decoding. */
  openCache(request: CacheRequest): CacheHandle;
  /** Appends tokens to a cache and computes their causal attention over its contents, in time linear in its length. */
  decode<const W extends readonly Want[] = readonly []>(request: Wanting<DecodeRequest, W>): DecodeResult<W>;
  /**
   * Keeps the first `length` tokens of a cache and drops the others, such as rejected tokens of speculative decoding. Later results are
   * bitwise as if they had never been there.
   */
  trimCache(request: CacheTrimRequest): { readonly length: number };
  /** A copy of a cache, as for beam search. Both are independent from then on. */
  forkCache(request: { readonly cache: CacheHandle }): CacheHandle;
  /** Cosine similarity (or dot product) of every pair of rows: [length, length]. */
  similarity(request: { readonly table: TensorInput; readonly measure?: 'cosine' | 'dot' | undefined } & TakesOut): Tensor;
  /** Mean, minimum and maximum along the diagonals of a matrix [length, length]. */
  distanceProfile(request: { readonly matrix: TensorInput } & TakesOuts<'mean' | 'min' | 'max' | 'spread'>): DistanceProfile;
  /** Closest pair, maximum absolute value and norms of the rows of a table. */
  tableStatistics(request: { readonly table: TensorInput }): TableStatistics;
  /** Power spectrum of each channel of a table. */
  spectrum(request: { readonly table: TensorInput } & TakesOuts<'power' | 'wavelength'>): Spectrum;
  /** Principal component analysis of the rows of a table. */
  principalComponents(
    request: { readonly table: TensorInput; readonly components: number } & TakesOuts<'coordinates' | 'explainedVarianceRatio'>,
  ): PrincipalComponents;
  /** How well a linear probe (ridge regression) predicts positions from table rows; `ridge` is the L2 penalty, default: 0.001. */
  linearProbe(request: { readonly table: TensorInput; readonly ridge?: number | undefined } & TakesOuts<'predictions'>): LinearProbeResult;
  /**
   * The matrix M with table[p + k] = M table[p] for every p of a sinusoidal table: [2 frequencies, 2 frequencies], or [table width,
   * table width] for an encoding. Throws for an encoding whose table has no such matrix.
   */
  shiftMatrix(request: ShiftMatrixRequest): Tensor;
  /** The frequencies and channels of the waves of a sinusoidal table. Throws for a table that is not made of waves. */
  waves(request: { readonly encoding: EncodingChoice; readonly width: number } & TakesOuts<'sine' | 'cosine' | 'frequency'>): Waves;
  /** Maximum of |table[p + k] - shift table[p]|, for a table [rows, width] of consecutive positions, shift [width, width] and integer k. */
  shiftResidual(request: { readonly table: TensorInput; readonly shift: TensorInput; readonly k: number }): { readonly maxAbsDiff: number };
  /** How far the scores of a `query_key` encoding are from depending only on differences of positions. */
  rotationResidual(request: RotationResidualRequest): { readonly maxAbsDiff: number };
  /** How far a layer's outputs are from permutation equivariance. */
  permutationError(request: PermutationRequest): PermutationResult;
  /** Applies a layer to permuted tokens and compares the outputs with those for the original order. */
  reorder<const W extends readonly Want[] = readonly []>(request: Wanting<ReorderRequest, W>): ReorderResult<W>;
  /** Samples from the standard normal distribution; the same seed gives the same numbers on every machine. */
  gaussian(request: { readonly seed: number; readonly shape: readonly number[] } & TakesOut): Tensor;
}

/**
 * What an engine computes with: SIMD with fused multiply-adds ('relaxed'), SIMD, or neither. Results of 'simd' and 'scalar' are the same on every
 * machine; those of 'relaxed' may differ from them, and between machines, in the last bits.
 */
export type Variant = 'relaxed' | 'simd' | 'scalar';

/** A request whose `want` is exactly W: the result depends on it. What is wanted may be written into arrays of the caller's. */
type Wanting<Request, W extends readonly Want[]> = Request & { readonly want?: W | undefined } & TakesOuts<
    'output' | 'weights' | 'scores' | 'bias'
  > & { readonly out?: { readonly map?: Outs<'mean' | 'max'> | undefined } | undefined };

/** The methods whose result depends on `want`, which a mapped type would lose. */
interface RemoteAttention {
  decode<const W extends readonly Want[] = readonly []>(
    request: Wanting<DecodeRequest, W>,
    options?: CallOptions,
  ): Promise<DecodeResult<W>>;
  attention<const W extends readonly Want[] = readonly []>(
    request: Wanting<AttentionRequest, W>,
    options?: CallOptions,
  ): Promise<AttentionResult<W>>;
  layer<const W extends readonly Want[] = readonly []>(request: Wanting<LayerRequest, W>, options?: CallOptions): Promise<LayerResult<W>>;
  reorder<const W extends readonly Want[] = readonly []>(
    request: Wanting<ReorderRequest, W>,
    options?: CallOptions,
  ): Promise<ReorderResult<W>>;
}

/** The same methods, each returning a promise. When a worker dies, its pending calls are rejected and the next call starts a new one. */
export type RemotePhasor = {
  readonly [K in Exclude<keyof Phasor, keyof RemoteAttention>]: Phasor[K] extends (...args: infer A) => infer R
    ? (...args: [...request: A, options?: CallOptions]) => Promise<R>
    : Phasor[K];
} & RemoteAttention & {
    /**
     * Where it computes: on the calling thread, which every call then keeps waiting, only where a worker was refused and `fallback` was
     * given.
     */
    readonly thread: 'worker' | 'same-thread';
    /** Why a worker was refused, where it computes on the calling thread. */
    readonly refusal?: PhasorError;
    /** Terminates the workers; pending calls are rejected. The end of a `using` block calls it. */
    dispose(): void;
  } & Disposes;

/** The same methods; `attention` is split across the workers, with bitwise the same result as a single worker's. */
export type PhasorPool = RemotePhasor & {
  /** Maximum number of workers; each starts when first needed. */
  readonly workers: number;
};
