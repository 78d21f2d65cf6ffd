// Lists the methods of engines, caches and `phasor/analysis`. Engines, workers and worker clients are built from these lists.

import { PhasorError } from '../errors.ts';
import { createHandle, type HandleKind, type HandleOwner, nextHandleNumber } from '../handles.ts';
import type { CheckpointCall } from '../model/open.ts';
import { type FlatRequest, serializeRequest } from '../request/flat-request.ts';
import type { OutHandler } from '../request/out.ts';
import { inspect } from '../request/plain.ts';
import type { TrainCall } from '../train/trainer.ts';
import type { AnalysisMethod, Phasor } from '../types/api.ts';
import { addCacheMethods, type RunMethod } from './cache.ts';
import { CALL } from './call-key.ts';

export type EngineMethod = { [K in keyof Phasor]: Phasor[K] extends (...args: never) => unknown ? K & string : never }[keyof Phasor];
export type CacheMethod = 'decode' | 'truncate' | 'fork';
export type Method = EngineMethod | AnalysisMethod | CacheMethod;

/** Engine methods. The value names the first argument if it is not the request, such as 'x' in applyRotary(x, request). */
const ENGINE_METHODS: Record<EngineMethod, string | undefined> = {
  positionTable: undefined,
  rotaryAngles: undefined,
  attentionBias: undefined,
  applyRotary: 'x',
  ropeDistances: undefined,
  ropeFrequencies: undefined,
  ropeFromConfig: 'config',
  encodingFromConfig: 'config',
  layersFromConfig: 'config',
  combine: undefined,
  positionIds: undefined,
  segmentIds: undefined,
  videoPositions: undefined,
  attention: undefined,
  attentionBackward: undefined,
  selfAttention: undefined,
  selfAttentionBackward: undefined,
  createCache: undefined,
  createTensor: 'tensor',
  createEncoding: undefined,
  randomNormal: undefined,
};

/** Cache methods. The value names the request field that receives the cache. */
export const CACHE_METHODS: Record<CacheMethod, string> = { decode: 'cache', truncate: 'cache', fork: 'cache' };

const FIRST_ARGUMENT_NAMES: { readonly [K in Method]?: string | undefined } = { ...ENGINE_METHODS, ...CACHE_METHODS };

/** Methods without an `out` field, because their results contain no arrays. */
const METHODS_WITHOUT_ARRAYS: readonly Method[] = [
  'ropeFromConfig',
  'encodingFromConfig',
  'layersFromConfig',
  'createCache',
  'truncate',
  'fork',
  'createTensor',
  'createEncoding',
  'tableStatistics',
  'shiftError',
  'relativePositionError',
];

/** Names of the calls that the WebAssembly module accepts. `release` frees the object of a handle. */
export type RawMethod = Method | TrainCall | CheckpointCall | 'release';

const CREATED_KINDS: { readonly [K in Method]?: HandleKind } = {
  createCache: 'cache',
  fork: 'cache',
  createTensor: 'tensor',
  createEncoding: 'encoding',
};

export const methods = Object.keys(ENGINE_METHODS) as readonly EngineMethod[];

/**
 * Returns the number of arguments of a method, without call options. Methods with two take a first argument and a request; `createTensor`,
 * `layersFromConfig` and `fork` take only the first argument.
 */
export const argumentCount = (method: Method) =>
  FIRST_ARGUMENT_NAMES[method] === undefined || method === 'createTensor' || method === 'layersFromConfig' || method === 'fork' ? 1 : 2;

/**
 * Returns the name of an argument in errors, such as 'argument 1'. Numbers follow the caller's signature: cache methods do not count the cache,
 * functions of `phasor/analysis` count the engine.
 */
export const argumentName = (method: Method, index: number) =>
  `argument ${index + (method in CACHE_METHODS ? 0 : method in ENGINE_METHODS ? 1 : 2)}`;

export interface PreparedCall {
  readonly request: FlatRequest;
  /** Converts the response to the result for the caller: a handle if the method creates an object. */
  readonly toResult: (response: unknown) => unknown;
  /** Handle number of the object that the call creates, if any. */
  readonly createdNumber: number | undefined;
}

/** Serializes a method call. `out` reads the arrays that the caller provides for results, in engines that can write to them. */
export function prepareCall(method: Method, args: readonly unknown[], owner: HandleOwner, out?: OutHandler): PreparedCall {
  const name = FIRST_ARGUMENT_NAMES[method];
  const kind = CREATED_KINDS[method];
  const createdNumber = kind && nextHandleNumber();
  const options = { owner, creates: createdNumber, out: METHODS_WITHOUT_ARRAYS.includes(method) ? undefined : out };
  const request =
    name === undefined
      ? serializeRequest(method, args[0], { ...options, argument: argumentName(method, 0) })
      : serializeRequest(method, (argumentCount(method) > 1 ? args[1] : undefined) ?? {}, {
          ...options,
          argument: argumentName(method, 1),
          first: [name, args[0]],
        });
  const toResult = (answer: unknown) => (kind && createdNumber ? createHandle(kind, createdNumber, owner, answer as object) : answer);
  return { request, toResult, createdNumber };
}

export const releaseRequest = (number: number): FlatRequest => ({ fields: 'hhandle', numbers: ['handle'.length, number], arrays: [] });

/** Rejects arguments beyond `count`, which would otherwise be ignored. */
export function rejectExtraArguments(method: Method, args: readonly unknown[], count: number, reason: string): void {
  const extraIndex = args.findIndex((value, at) => at >= count && value !== undefined);
  if (extraIndex >= 0)
    throw new PhasorError('invalid_argument', `${method}: ${argumentName(method, extraIndex)} is ${inspect(args[extraIndex])}; ${reason}`);
}

/** Returns an object with all engine methods, each of which calls `run`. */
export function withMethods<T extends object>(run: RunMethod): Pick<T, (EngineMethod | typeof CALL) & keyof T> {
  const call: RunMethod = (method, args) => {
    const result = run(method, args);
    return CREATED_KINDS[method] === 'cache' ? addCacheMethods(result, args[0], call) : result;
  };
  return { ...Object.fromEntries(methods.map((method) => [method, (...args: unknown[]) => call(method, args)])), [CALL]: call } as never;
}
