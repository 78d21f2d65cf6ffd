// What `diagnose` takes, and which examination each dump gets.

import { PhasorError } from '../errors.ts';
import type { EncodingConfig, Phasor, PhasorOptions } from '../types/api.ts';
import { diagnoseConfigs } from './configs.ts';
import { type Axes, type DumpTensor, vectorsOf } from './dump.ts';
import type { PairLayout } from './planes.ts';
import { diagnosePositionIds, type Part } from './position-ids.ts';
import type { Diagnosis, Report } from './report.ts';
import { diagnoseRotation } from './rotation.ts';
import { diagnoseScores, type ScoreClaim } from './scores.ts';
import type { TokenPositions } from './state.ts';
import { diagnoseTables } from './tables.ts';
import { diagnoseTwo } from './two-implementations.ts';
import { wordsOf } from './words.ts';

/** What the port should do: an encoding, or the config.json from which it is read. */
export interface Claim {
  /** `rope`, `mrope`, `rope_2d` or `none` with its parameters. */
  readonly claim?: { readonly id: string; readonly [name: string]: unknown } | undefined;
  /** The encoding of the other type of layer of the same model. */
  readonly other?: { readonly id: string; readonly [name: string]: unknown } | undefined;
  /** A parsed config.json of Hugging Face, instead of `claim`. */
  readonly config?: object | undefined;
  /** Index of the layer, from 0. */
  readonly layerIdx?: number | undefined;
}

interface VectorOptions extends Claim {
  /** Needed for tensors of three axes. */
  readonly axes?: Axes | undefined;
  /** Needed for [tokens, heads x width]. */
  readonly heads?: number | undefined;
  /** One per token, or its coordinates; default: 0, 1, 2 ... */
  readonly positions?: TokenPositions | undefined;
}

/** Queries or keys of one layer before and after their rotation. */
export interface RotationRequest extends VectorOptions {
  readonly before: DumpTensor;
  readonly after: DumpTensor;
}

/** The same queries or keys, rotated by a reference and by the port. */
export interface TwoImplementationsRequest extends VectorOptions {
  readonly reference: DumpTensor;
  readonly ours: DumpTensor;
}

/** Scores or weights of attention, and the products q.k that they come from. */
export interface ScoresRequest {
  readonly products: DumpTensor;
  readonly scores?: DumpTensor | undefined;
  readonly weights?: DumpTensor | undefined;
  readonly sinks?: DumpTensor | undefined;
  /** Size of a head. */
  readonly dim: number;
  readonly claim?: ScoreClaim | undefined;
}

/** Inverse frequencies, or cosines and sines. */
export interface TablesRequest extends Claim {
  readonly invFreq?: DumpTensor | undefined;
  readonly cos?: DumpTensor | undefined;
  readonly sin?: DumpTensor | undefined;
  /** Size of a head. */
  readonly dim: number;
  readonly positions?: TokenPositions | undefined;
  readonly tableLayout?: PairLayout | undefined;
}

/** Position ids. */
export interface PositionIdsDumpRequest {
  readonly positionIds: readonly number[] | readonly (readonly number[])[];
  readonly mask?: readonly number[] | undefined;
  readonly segments?: readonly number[] | undefined;
  readonly past?: number | undefined;
  readonly start?: number | undefined;
  readonly spec?: readonly Part[] | undefined;
}

/** A config.json against the metadata of a GGUF file. */
export interface GgufRequest {
  readonly config: object;
  readonly layerIdx?: number | undefined;
  readonly gguf: { readonly [key: string]: unknown };
  readonly weightsPermuted?: boolean | undefined;
}

export type DiagnoseRequest =
  | RotationRequest
  | TwoImplementationsRequest
  | ScoresRequest
  | TablesRequest
  | PositionIdsDumpRequest
  | GgufRequest;

const asConfig = (encoding: Claim['claim']) => encoding as EncodingConfig | undefined;

/** The encodings of the layer, and of a layer of the other type. */
function claimsOf(
  phasor: Phasor,
  { claim, other, config, layerIdx }: Claim,
): { claim?: EncodingConfig | undefined; other?: EncodingConfig | undefined } {
  if (claim && config) throw new PhasorError('invalid_argument', 'claim: is given, but so is config', { argument: 'claim' });
  if (!config) return { claim: asConfig(claim), other: asConfig(other) };
  const own = phasor.encodingFromConfig(config, layerIdx === undefined ? {} : { layerIdx }).encoding;
  if (other) return { claim: own, other: asConfig(other) };
  const { num_hidden_layers: count } = ((config as { text_config?: object }).text_config ?? config) as { num_hidden_layers?: unknown };
  for (let index = 0; layerIdx !== undefined && typeof count === 'number' && index < Math.min(count, 256); index++) {
    const one = encodingOfLayer(phasor, config, index);
    if (one && one.id !== 'none' && JSON.stringify(one) !== JSON.stringify(own)) return { claim: own, other: one };
  }
  return { claim: own };
}

/** Undefined for layers without queries and keys. */
function encodingOfLayer(phasor: Phasor, config: object, layerIdx: number): EncodingConfig | undefined {
  try {
    return phasor.encodingFromConfig(config, { layerIdx }).encoding;
  } catch {
    return undefined;
  }
}

function positionsOf(positions: TokenPositions | undefined, tokens: number): TokenPositions {
  if (!positions) return Array.from({ length: tokens }, (_, token) => token);
  if (positions.length !== tokens)
    throw new PhasorError('invalid_argument', `positions: there are ${positions.length}, but ${tokens} tokens`, { argument: 'positions' });
  return positions;
}

function examine(phasor: Phasor, request: DiagnoseRequest): Diagnosis {
  if ('before' in request) {
    const before = vectorsOf('before', request.before, request.axes, request.heads);
    const after = vectorsOf('after', request.after, request.axes, request.heads);
    return diagnoseRotation(phasor, {
      before,
      after,
      positions: positionsOf(request.positions, before.tokens),
      ...claimsOf(phasor, request),
    });
  }
  if ('reference' in request) {
    const reference = vectorsOf('reference', request.reference, request.axes, request.heads);
    const ours = vectorsOf('ours', request.ours, request.axes, request.heads);
    return diagnoseTwo(phasor, {
      reference,
      ours,
      positions: positionsOf(request.positions, reference.tokens),
      ...claimsOf(phasor, request),
    });
  }
  if ('products' in request) return diagnoseScores(phasor, request);
  if ('positionIds' in request) return diagnosePositionIds(request);
  if ('gguf' in request) return diagnoseConfigs(phasor, request);
  if ('invFreq' in request || 'cos' in request) {
    const { claim, other } = claimsOf(phasor, request);
    return diagnoseTables(phasor, { ...request, claim, other });
  }
  throw new PhasorError(
    'invalid_argument',
    'request: has no dump; before and after, reference and ours, products, invFreq, cos and sin, positionIds, or gguf are needed',
    { argument: 'request' },
  );
}

const CLAIM = ['claim', 'other', 'config', 'layerIdx'];
const VECTORS = [...CLAIM, 'axes', 'heads', 'positions'];
/** The keys of each request, by one that only it has. */
const KEYS: readonly (readonly [string, readonly string[]])[] = [
  ['before', ['before', 'after', ...VECTORS]],
  ['reference', ['reference', 'ours', ...VECTORS]],
  ['products', ['products', 'scores', 'weights', 'sinks', 'dim', 'claim']],
  ['positionIds', ['positionIds', 'mask', 'segments', 'past', 'start', 'spec']],
  ['gguf', ['config', 'layerIdx', 'gguf', 'weightsPermuted']],
  ['invFreq', ['invFreq', 'cos', 'sin', 'dim', 'positions', 'tableLayout', ...CLAIM]],
  ['cos', ['invFreq', 'cos', 'sin', 'dim', 'positions', 'tableLayout', ...CLAIM]],
];

/** A misspelt key would be ignored, and the report would be about something else. */
function checkKeys(request: object): void {
  const known = KEYS.find(([own]) => own in request)?.[1];
  const unknown = known && Object.keys(request).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new PhasorError('invalid_argument', `${unknown}: is not a field of this request; there are ${known?.join(', ')}`, {
      argument: unknown,
    });
}

/** The report on a dump. */
export function diagnoseWith(phasor: Phasor, request: DiagnoseRequest): Report {
  checkKeys(request);
  const diagnosis = examine(phasor, request);
  return { ...diagnosis, ...wordsOf(diagnosis) };
}

/** `diagnose` with an engine that is created at its first call. */
export function doctorWith(create: (options?: PhasorOptions) => Promise<Phasor>) {
  let engine: Promise<Phasor> | undefined;
  return async (request: DiagnoseRequest, options?: PhasorOptions): Promise<Report> => {
    engine ??= create(options);
    try {
      return diagnoseWith(await engine, request);
    } catch (error) {
      // An engine that could not start is created again at the next call.
      await engine.catch(() => {
        engine = undefined;
      });
      throw error;
    }
  };
}
