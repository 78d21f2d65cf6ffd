// Descriptions of the encodings, from the registry in the C++ core.

/**
 * Where a positional encoding enters attention: 'none' (nowhere), 'input' (a table added to the embeddings), 'query_key' (in queries and
 * keys), 'score' (a bias added to the scores), 'score_content' (a bias that depends on queries and keys), or 'key_value' (in keys and
 * values).
 */
export type Injection = 'none' | 'input' | 'query_key' | 'score' | 'score_content' | 'key_value';

/** A parameter of an encoding, as declared in the encoding's C++ source file. */
export interface ParamInfo {
  /** The parameter's name in requests, such as `base`. */
  readonly name: string;
  /** The type of the parameter. */
  readonly kind: 'real' | 'integer' | 'choice' | 'boolean' | 'tensor';
  /** The default value; null for a tensor, whose default is computed or drawn at random from `seed`. */
  readonly default: number | string | boolean | null;
  /** Smallest allowed value (numeric kinds only). */
  readonly min: number;
  /** Largest allowed value (numeric kinds only). */
  readonly max: number;
  /** The allowed values of a choice; empty for other kinds. */
  readonly choices: readonly string[];
  /** Unit of a numeric parameter; an empty string if there is none. */
  readonly unit: string;
  /** Whether a slider for the parameter should be logarithmic. */
  readonly logarithmic: boolean;
  /** One-line description. */
  readonly summary: string;
  /** The shape of a tensor in symbols, such as "heads x buckets"; empty for other kinds. */
  readonly shape: string;
  /**
   * The condition under which the parameter has an effect: the parameter `param` must have one of `values` ('true' or 'false' for a
   * boolean). Otherwise the parameter may be rejected. Null if the parameter always has an effect.
   */
  readonly appliesWhen: {
    /** The name of the other parameter. */
    readonly param: string;
    /** The values of `param` for which this parameter has an effect. */
    readonly values: readonly string[];
  } | null;
}

/** A tensor with data for each token, which requests pass in `tokenTensors`. */
export interface TokenTensorInfo {
  /** The tensor's name in requests, such as `log_gates`. */
  readonly name: string;
  /** The names of the axes, such as "heads, tokens". The axis `pairs` has headDim / 2 elements. */
  readonly shape: string;
  /** Whether a call may omit the tensor. */
  readonly optional: boolean;
  /** One-line description. */
  readonly summary: string;
}

/** The description of an encoding: its injection point, properties and parameters. */
export interface EncodingInfo {
  /** The encoding's id in requests, such as 'rope'. */
  readonly id: string;
  /** Where the encoding enters attention. */
  readonly injection: Injection;
  /** Whether the encoding has learned parameters. */
  readonly learned: boolean;
  /** Whether attention depends on positions only through their differences. */
  readonly relative: boolean;
  /**
   * Whether the score stays the same if the positions of the query and the key are swapped, so that left and right cannot be distinguished.
   * Applies to the default parameters.
   */
  readonly symmetric: boolean;
  /** Whether the encoding of a position is independent of the sequence length. */
  readonly prefixStable: boolean;
  /** Whether the encoding rotates channel pairs of queries and keys. `rotaryAngles` accepts these encodings. */
  readonly rotates: boolean;
  /** Number of coordinates of a position: 1 for sequences, 2 for images. */
  readonly axes: number;
  /** The parameters, in the order in which the C++ file declares them. */
  readonly params: readonly ParamInfo[];
  /** The tensors with data for each token that attention with this encoding takes; empty for most encodings. */
  readonly tokens: readonly TokenTensorInfo[];
}
