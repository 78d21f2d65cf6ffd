// The public names of the engine: what goes in and what comes out. All layouts are row-major, positions are 0-based
// token counts, angles are radians, and attention tensors are [head, token, channel].

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

/** One position per token as a list or a tensor [tokens], or several coordinates per token as a tensor [tokens, axes]. */
export type Positions = ArrayLike<number> | { readonly shape: readonly number[]; readonly data: ArrayLike<number> };

export type Mask = 'none' | 'causal';
export type Want = 'weights' | 'scores' | 'bias' | 'map';

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

export interface CombineRequest {
  /** [length, width], the embeddings */
  readonly x: Tensor;
  /** [length, table width]; adding needs both widths to be the same. */
  readonly table: Tensor;
  /** 'add' unless given */
  readonly how?: 'add' | 'concatenate';
}

export interface PositionIdsRequest {
  /** One number per token, 0 is padding. */
  readonly visible: ArrayLike<number>;
  /** fairseq: cumsum(visible) * visible + paddingIdx; opt: cumsum(visible) * visible - 1; bloom: (cumsum(visible) - 1) * visible. */
  readonly how?: 'fairseq' | 'opt' | 'bloom';
  /** Row of the padding token, for fairseq only; 1 unless given. */
  readonly paddingIdx?: number;
  /** Visible tokens that a cache already holds; 0 unless given. */
  readonly past?: number;
}

/** By frequencies, or for the table of an `input` encoding that has them. */
export type ShiftMatrixRequest = {
  /** By how many positions; negative and fractional steps too. */
  readonly k: number;
} & (
  | {
      /** Radians per token, one for each (sine, cosine) pair. */
      readonly frequencies: ArrayLike<number>;
      /** Where the sine and the cosine of a frequency stand: channels 2t and 2t + 1, or t and t + frequencies. */
      readonly layout?: 'interleaved' | 'concatenated';
    }
  | {
      readonly encoding: EncodingChoice;
      /** Channels asked for, as in `table`. */
      readonly width: number;
    }
);

export interface RotationResidualRequest {
  readonly encoding: EncodingChoice;
  /** [heads, width] */
  readonly q: Tensor;
  /** [heads, width] */
  readonly k: Tensor;
  /** The largest |<R_m q, R_n k> - <R_0 q, R_(n-m) k>| is taken over all m and n of these, at most 4096. */
  readonly positions: ArrayLike<number>;
}

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
  /** One number per key, 0 hides it. */
  readonly keyMask?: ArrayLike<number>;
  /** Position of the first query when keys start at 0; keys - queries unless given (the rule of a KV cache). */
  readonly offset?: number;
  /** Factor on q.k; 1/sqrt(width) unless given. */
  readonly scale?: number;
  readonly want?: readonly Want[];
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

export type AttentionGradientRequest = Omit<AttentionRequest, 'want' | 'map'> & {
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
  readonly scale?: number;
  /** How queries, keys and values are made: the embedding itself, or three orthogonal matrices drawn from `seed`. */
  readonly projections?: 'identity' | 'orthogonal';
  readonly seed?: number;
  readonly want?: readonly Want[];
}

export interface LayerResult extends AttentionResult {
  /** [length, width], the heads side by side */
  readonly output: Tensor;
}

export type LayerGradientRequest = Omit<LayerRequest, 'want'> & {
  /** [length, width], dL/d(output) */
  readonly dOutput: Tensor;
};

export interface LayerGradients {
  /** [length, width] */
  readonly dx: Tensor;
  readonly parameters: ParameterGradients;
}

export interface PermutationRequest {
  /** [length, width], outputs of the text as it was */
  readonly before: Tensor;
  /** [length, width], outputs of the reordered text */
  readonly after: Tensor;
  /** order[p] is the old place of the token that now stands at place p. */
  readonly order: ArrayLike<number>;
}

export interface PermutationResult {
  /** Largest absolute difference of any number after the tokens are put back. */
  readonly largest: number;
  /** [length], the largest difference in each token's output, in the order of `after` */
  readonly perToken: Tensor;
}

export interface DistanceProfile {
  /** [2 length - 1]; entry e is about the signed distance j - i = e - (length - 1). */
  readonly mean: Tensor;
  readonly lowest: Tensor;
  readonly highest: Tensor;
  /** Largest difference at any one distance: 0 when the matrix depends on the distance alone. */
  readonly spread: number;
}

/** The requirements of a good positional table, measured. */
export interface TableFacts {
  /** The two most alike rows. */
  readonly closest: readonly [number, number];
  /** Their Euclidean distance; 0 means two positions share a code. */
  readonly closestDistance: number;
  /** Largest absolute number. */
  readonly largest: number;
  readonly meanNorm: number;
  readonly lowestNorm: number;
  readonly highestNorm: number;
}

export interface Spectrum {
  /** [width, bins], each channel's power by wavelength, rows sum to 1 (0 for a constant channel). */
  readonly power: Tensor;
  /** [bins], tokens. */
  readonly wavelength: Tensor;
}

export interface Principal {
  /** [rows, components] */
  readonly coordinates: Tensor;
  /** [components], share of the variance. */
  readonly explained: Tensor;
}

export interface Decodability {
  /** On rows the reader has not seen: 1 is perfect, 0 no better than the mean. */
  readonly rSquared: number;
  /** Mean absolute error in tokens on the same rows. */
  readonly meanError: number;
  /** [rows] */
  readonly predicted: Tensor;
}

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
   * its rope_scaling / rope_parameters; the text model of a multimodal one is found. Throws for a key of that dictionary that is
   * missing, unknown or of the wrong kind, and for an object that is not of a model with rotary positions.
   */
  ropeModel(config: object, request?: RopeModelRequest): { readonly id: string } & Params;
  /** Embeddings with a table added [length, width], or beside it [length, width + table width]. */
  combine(request: CombineRequest): Tensor;
  /** The positions of a text with padding: [tokens], whole numbers, as model families count them. */
  positionIds(request: PositionIdsRequest): Tensor;
  /** Scaled dot-product attention with any encoding except `input` ones, which belong to `layer`. */
  attention(request: AttentionRequest): AttentionResult;
  /** The way back through `attention`, streaming too: scores are computed again, never kept. */
  attentionGradient(request: AttentionGradientRequest): AttentionGradients;
  /** Embeddings in, embeddings out: position, projections and attention of one layer. */
  layer(request: LayerRequest): LayerResult;
  /** The way back through `layer`, with the gradients of a learned table. */
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
  /** The WebAssembly file: where it is, its bytes, or compiled. Left out, the files beside this package are used. */
  readonly wasm?: URL | string | BufferSource | WebAssembly.Module;
  /** 'auto' takes SIMD where the engine has it. */
  readonly variant?: 'auto' | Variant;
}

export interface PoolOptions extends PhasorOptions {
  /** As many as the machine has cores, and at most 8, unless given. */
  readonly workers?: number;
}
