// Descriptions of the encodings of an engine, from the registry of the C++ core.

/**
 * Where a positional encoding enters attention: nowhere, as a table added to the embeddings, in queries and keys, as a bias on the scores (from
 * queries and keys, for 'score_content'), or in keys and values.
 */
export type Injection = 'none' | 'input' | 'query_key' | 'score' | 'score_content' | 'key_value';

/** One parameter of an encoding, as declared in its C++ file. */
export interface ParamInfo {
  /** The name in requests, such as `base`. */
  readonly name: string;
  /** The type of the parameter. */
  readonly kind: 'real' | 'integer' | 'choice' | 'boolean' | 'tensor';
  /** The default value; null for a tensor, whose default is drawn from the parameter `seed`. */
  readonly default: number | string | boolean | null;
  /** Smallest allowed value (numeric kinds only). */
  readonly min: number;
  /** Largest allowed value (numeric kinds only). */
  readonly max: number;
  /** The allowed values of a choice; empty for other kinds. */
  readonly choices: readonly string[];
  /** Unit of a numeric parameter, or an empty string. */
  readonly unit: string;
  /** Whether a slider for the parameter should be logarithmic. */
  readonly logarithmic: boolean;
  /** One-line description. */
  readonly summary: string;
  /** The symbolic shape of a tensor, such as "heads x buckets"; empty for other kinds. */
  readonly shape: string;
  /**
   * The condition under which the parameter has an effect: the parameter `param` has one of `values` ('true' or 'false' for a boolean).
   * Otherwise the parameter may be rejected. Null if it always has an effect.
   */
  readonly appliesWhen: {
    /** The name of the other parameter. */
    readonly param: string;
    /** The values of `param` that give this parameter an effect. */
    readonly values: readonly string[];
  } | null;
}

/** A token tensor of an encoding, provided as one of `tokenTensors` in requests. */
export interface TokenTensorInfo {
  /** The name in requests, such as `log_gates`. */
  readonly name: string;
  /** The axes, such as "heads, tokens". The axis `pairs` has headDim / 2 elements. */
  readonly shape: string;
  /** Whether a call may omit the tensor. */
  readonly optional: boolean;
  /** One-line description. */
  readonly summary: string;
}

/** The description of an encoding: its injection point, properties and parameters. */
export interface EncodingInfo {
  /** The id in requests, such as 'rope'. */
  readonly id: string;
  /** The point where the encoding enters attention. */
  readonly injection: Injection;
  /** Whether the encoding has learned parameters. */
  readonly learned: boolean;
  /** Whether attention depends on positions only through their differences. */
  readonly relative: boolean;
  /**
   * Whether swapping the positions of a query and a key leaves their score unchanged, with default parameters: left and right are then
   * indistinguishable.
   */
  readonly symmetric: boolean;
  /** Whether the values at a position stay the same as the sequence grows. */
  readonly prefixStable: boolean;
  /** Whether the encoding rotates pairs of channels of queries and keys, so that `rotaryAngles` accepts it. */
  readonly rotates: boolean;
  /** Number of coordinates per position: 1 for sequences, 2 for images. */
  readonly axes: number;
  /** The parameters, in the order in which the C++ file declares them. */
  readonly params: readonly ParamInfo[];
  /** The token tensors that attention requires; empty for most encodings. */
  readonly tokens: readonly TokenTensorInfo[];
}
