// The methods of an engine: the single list from which the engine, its workers and their clients are derived.

import { PhasorError } from '../errors.ts';
import { type HandleKind, type HandleOwner, newHandle, newNumber } from '../handles.ts';
import { type FlatRequest, flatRequest } from '../request/flat-request.ts';
import type { OutRules } from '../request/out.ts';
import { inspect } from '../request/plain.ts';
import type { TrainCall } from '../train/trainer.ts';
import type { Phasor } from '../types/api.ts';

export type Method = { [K in keyof Phasor]: Phasor[K] extends (...args: never) => unknown ? K : never }[keyof Phasor];

/** The methods, with the name of a first argument that precedes the request: rotate(x, request). */
const FIRST_ARGUMENT: Record<Method, string | undefined> = {
  positionTable: undefined,
  rotaryAngles: undefined,
  attentionBias: undefined,
  applyRotary: 'x',
  ropeDistances: undefined,
  rotationMatrix: undefined,
  ropeFrequencies: undefined,
  ropeFromConfig: 'config',
  encodingFromConfig: 'config',
  layersFromConfig: 'config',
  combine: undefined,
  positionIds: undefined,
  videoPositions: undefined,
  attention: undefined,
  attentionBackward: undefined,
  explainBias: undefined,
  explainSoftmax: undefined,
  selfAttention: undefined,
  selfAttentionBackward: undefined,
  createCache: undefined,
  decode: undefined,
  truncateCache: undefined,
  forkCache: undefined,
  createTensor: 'tensor',
  createEncoding: undefined,
  similarity: undefined,
  distanceProfile: undefined,
  tableStatistics: undefined,
  spectrum: undefined,
  principalComponents: undefined,
  linearProbe: undefined,
  shiftMatrix: undefined,
  sinusoids: undefined,
  shiftError: undefined,
  relativePositionError: undefined,
  permutationError: undefined,
  permutationTest: undefined,
  randomNormal: undefined,
};

/** The methods whose results have no arrays: `out` is no field of theirs. */
const WITHOUT_ARRAYS: readonly Method[] = [
  'ropeFromConfig',
  'encodingFromConfig',
  'layersFromConfig',
  'createCache',
  'truncateCache',
  'forkCache',
  'createTensor',
  'createEncoding',
  'tableStatistics',
  'shiftError',
  'relativePositionError',
];

/** The calls of the WebAssembly: `release` is what `dispose` of a handle calls. */
export type RawMethod = Method | TrainCall | 'release';

/** The methods that create something which stays in the engine. */
const CREATED: { readonly [K in Method]?: HandleKind } = {
  createCache: 'cache',
  forkCache: 'cache',
  createTensor: 'tensor',
  createEncoding: 'encoding',
};

export const methods = Object.keys(FIRST_ARGUMENT) as readonly Method[];

/** Number of arguments of a method: `createTensor` and `layersFromConfig` have a first argument and no request. */
export const arity = (method: Method) =>
  FIRST_ARGUMENT[method] === undefined || method === 'createTensor' || method === 'layersFromConfig' ? 1 : 2;

export interface Call {
  /** The arguments as a single request for WebAssembly. */
  readonly request: FlatRequest;
  /** The result for the caller: where the method creates something, its handle. */
  readonly result: (answer: unknown) => unknown;
  /** The number of what the method creates. */
  readonly creates: number | undefined;
}

/** `out`: how arrays of the caller's are read, by engines that write results into them. */
export function callOf(method: Method, args: readonly unknown[], owner: HandleOwner, out?: OutRules): Call {
  const name = FIRST_ARGUMENT[method];
  const kind = CREATED[method];
  const creates = kind && newNumber();
  const options = { owner, creates, out: WITHOUT_ARRAYS.includes(method) ? undefined : out };
  const request =
    name === undefined
      ? flatRequest(method, args[0], options)
      : flatRequest(method, (arity(method) > 1 ? args[1] : undefined) ?? {}, { ...options, argument: 2, first: [name, args[0]] });
  const result = (answer: unknown) => (kind && creates ? newHandle(kind, creates, owner, answer as object) : answer);
  return { request, result, creates };
}

/** The request to free what a handle stands for. */
export const releaseRequest = (number: number): FlatRequest => ({ fields: 'hhandle', numbers: ['handle'.length, number], arrays: [] });

/** Rejects arguments beyond `count` instead of ignoring them. */
export function refuseExtraArguments(method: Method, args: readonly unknown[], count: number, reason: string): void {
  const extra = args.findIndex((value, at) => at >= count && value !== undefined);
  if (extra >= 0) throw new PhasorError('invalid_argument', `${method}: argument ${extra + 1} is ${inspect(args[extra])}; ${reason}`);
}

/** An object with every method, each made by `make`. */
export function withMethods<T extends object>(make: (method: Method) => (...args: unknown[]) => unknown): Pick<T, Method & keyof T> {
  return Object.fromEntries(methods.map((method) => [method, make(method)])) as Pick<T, Method & keyof T>;
}
