// The requests of `diagnose`: one type for each kind of dump.

import { PhasorError } from '../errors.ts';
import type { TensorData } from '../types/tensors.ts';
import type { Axes } from './dump.ts';
import type { PairLayout } from './planes.ts';
import type { Part } from './position-ids.ts';
import type { ScoreClaim } from './scores.ts';
import type { TokenPositions } from './state.ts';

/** An encoding's id and parameters. */
export interface ClaimedEncoding {
  /** `rope`, `mrope`, `rope_2d`, or `none`; for scores `alibi`, `t5` and others. */
  readonly id: string;
  /** The parameters of the encoding. */
  readonly [name: string]: unknown;
}

/** A layer's claimed encoding, or the config.json that determines it. */
export interface Claim {
  /** `rope`, `mrope`, `rope_2d` or `none` with its parameters. */
  readonly claim?: ClaimedEncoding | undefined;
  /** The encoding of the model's other type of layer, such as that of its sliding-window layers. */
  readonly other?: ClaimedEncoding | undefined;
  /** A parsed Hugging Face config.json, instead of `claim`. */
  readonly config?: object | undefined;
  /** Index of the layer, from 0. */
  readonly layerIdx?: number | undefined;
}

/**
 * Queries or keys of one layer: [tokens, heads, dim], [heads, tokens, dim], or [tokens, heads * dim], optionally with a batch axis first.
 */
export interface VectorOptions extends Claim {
  /** Order of the axes. Required for tensors with three axes, unless the config's number of heads determines it. */
  readonly axes?: Axes | undefined;
  /** Number of heads; required for [tokens, heads * dim]. */
  readonly heads?: number | undefined;
  /** Index in the batch; required if the batch has more than one item. */
  readonly item?: number | undefined;
  /** Position of each token: a number, or coordinates. Default: 0, 1, 2, ... */
  readonly positions?: TokenPositions | undefined;
}

/** Queries or keys of one layer before and after their rotation. */
export interface RotationDump extends VectorOptions {
  /** Queries or keys before the rotation. */
  readonly before: TensorData;
  /** The same queries or keys after the rotation. */
  readonly after: TensorData;
}

/** The same queries or keys, rotated by a reference and by the implementation under test. */
export interface TwoImplementationsDump extends VectorOptions {
  /** Queries or keys of the reference, after the rotation. */
  readonly reference: TensorData;
  /** Queries or keys of the implementation under test, after the rotation. */
  readonly ours: TensorData;
}

/** Attention scores or weights, together with the products q.k or with the queries and keys. */
export interface ScoresDump {
  /** Unscaled q.k: [heads, queries, keys]. */
  readonly products?: TensorData | undefined;
  /** Queries after the rotation, instead of `products`: [heads, queries, dim]. */
  readonly q?: TensorData | undefined;
  /** Keys after the rotation: [kvHeads, keys, dim]. */
  readonly k?: TensorData | undefined;
  /** Scores before the softmax: [heads, queries, keys]. Scores of hidden keys are below -10000. */
  readonly scores?: TensorData | undefined;
  /** Weights after the softmax: [heads, queries, keys]. */
  readonly weights?: TensorData | undefined;
  /** Logits of the attention sinks: [heads]. */
  readonly sinks?: TensorData | undefined;
  /** Channels per head; required without `q`, unless the config determines it. */
  readonly dim?: number | undefined;
  /** The claimed computation of scores. */
  readonly claim?: ScoreClaim | undefined;
  /** A parsed Hugging Face config.json, instead of `claim`. */
  readonly config?: object | undefined;
  /** Index of the layer, from 0. */
  readonly layerIdx?: number | undefined;
}

/** Inverse frequencies, or tables of cosines and sines. */
export interface TablesDump extends Claim {
  /** Inverse frequency of each pair: [pairs]. */
  readonly invFreq?: TensorData | undefined;
  /** Cosines: [tokens, pairs], or [tokens, 2 * pairs] with one column per channel. */
  readonly cos?: TensorData | undefined;
  /** Sines, shaped like `cos`. */
  readonly sin?: TensorData | undefined;
  /** Cosines, then sines, in each row: [tokens, 2 * pairs], as in vLLM's `cos_sin_cache`. */
  readonly cosSinCache?: TensorData | undefined;
  /** Channels per head. Default: the config's value, or two per pair. */
  readonly dim?: number | undefined;
  /** Position of each token. Default: 0, 1, 2, ... */
  readonly positions?: TokenPositions | undefined;
  /** Which columns have equal angles: t and t + pairs ('half_split'), or 2t and 2t + 1 ('interleaved'). Default: the claimed layout. */
  readonly tableLayout?: PairLayout | undefined;
}

/** The position ids of a sequence of tokens. */
export interface PositionIdsDump {
  /** One id per token: [tokens], or time, row and column of each token: [3][tokens]. */
  readonly positionIds: readonly number[] | readonly (readonly number[])[];
  /** The attention mask, in which 0 marks padding. */
  readonly mask?: readonly number[] | undefined;
  /** The segment id of each token. */
  readonly segments?: readonly number[] | undefined;
  /** Number of cached tokens that precede the first token. */
  readonly past?: number | undefined;
  /** First position of each segment; default: 0. */
  readonly start?: number | undefined;
  /** The texts and images of the sequence, in order. */
  readonly spec?: readonly Part[] | undefined;
}

/** A config.json and the metadata of a GGUF file, to be compared. */
export interface GgufDump {
  /** A parsed Hugging Face config.json. */
  readonly config: object;
  /** Index of the layer, from 0. */
  readonly layerIdx?: number | undefined;
  /** Metadata values by key, such as `general.architecture`. The key `tensors` contains the tensor names. */
  readonly gguf: { readonly [key: string]: unknown };
  /** Whether the rows of q in the GGUF file are permuted for interleaved pairs. Absent if the weights were not compared. */
  readonly weightsPermuted?: boolean | undefined;
}

/** Any request of `diagnose`. */
export type DiagnoseRequest = RotationDump | TwoImplementationsDump | ScoresDump | TablesDump | PositionIdsDump | GgufDump;

export type DumpKind = 'rotation' | 'two' | 'scores' | 'positionIds' | 'gguf' | 'tables';

const CLAIM_FIELDS = ['claim', 'other', 'config', 'layerIdx'];
const VECTOR_FIELDS = [...CLAIM_FIELDS, 'axes', 'heads', 'item', 'positions'];
/** For each kind of dump: the fields that identify it, and all fields that it can have. */
const FIELDS: readonly (readonly [DumpKind, readonly string[], readonly string[]])[] = [
  ['rotation', ['before', 'after'], ['before', 'after', ...VECTOR_FIELDS]],
  ['two', ['reference', 'ours'], ['reference', 'ours', ...VECTOR_FIELDS]],
  ['scores', ['products', 'scores', 'weights'], ['products', 'q', 'k', 'scores', 'weights', 'sinks', 'dim', 'claim', 'config', 'layerIdx']],
  ['positionIds', ['positionIds'], ['positionIds', 'mask', 'segments', 'past', 'start', 'spec']],
  ['gguf', ['gguf'], ['config', 'layerIdx', 'gguf', 'weightsPermuted']],
  [
    'tables',
    ['invFreq', 'cos', 'sin', 'cosSinCache'],
    ['invFreq', 'cos', 'sin', 'cosSinCache', 'dim', 'positions', 'tableLayout', ...CLAIM_FIELDS],
  ],
];

/** Returns the kind of dump in a request. Throws for unknown fields, because ignoring a misspelt field could lead to a wrong report. */
export function dumpKindOf(request: object): DumpKind {
  const providedFields = Object.entries(request ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const entry = FIELDS.find(([, identifying]) => identifying.some((name) => providedFields.includes(name)));
  if (!entry)
    throw new PhasorError(
      'invalid_argument',
      'request: contains no dump; expected "before" and "after", "reference" and "ours", "products" and "scores", "invFreq", "cos" and "sin", "positionIds", or "gguf"',
      { argument: 'request' },
    );
  const [kind, , knownFields] = entry;
  const unknownField = providedFields.find((name) => !knownFields.includes(name));
  if (unknownField !== undefined)
    throw new PhasorError('unknown_name', `${unknownField}: this dump has no such field; expected one of ${knownFields.join(', ')}`, {
      argument: unknownField,
      allowed: knownFields,
    });
  return kind;
}
