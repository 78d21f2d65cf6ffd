// The methods of an engine: the single list from which the engine, its workers and their clients are derived.

import { PhasorError } from './errors.ts';
import { type FlatRequest, flatRequest } from './flat-request.ts';
import { printed } from './plain.ts';
import type { Phasor } from './types.ts';

export type Method = { [K in keyof Phasor]: Phasor[K] extends (...args: never) => unknown ? K : never }[keyof Phasor];

/** The methods, with the name of a first argument that precedes the request: rotate(x, request). */
const FIRST_ARGUMENT: Record<Method, string | undefined> = {
  table: undefined,
  angles: undefined,
  bias: undefined,
  rotate: 'x',
  rotationMatrix: undefined,
  ropeFrequencies: undefined,
  ropeModel: 'config',
  modelEncoding: 'config',
  combine: undefined,
  positionIds: undefined,
  attention: undefined,
  attentionGradient: undefined,
  layer: undefined,
  layerGradient: undefined,
  openCache: undefined,
  decode: undefined,
  closeCache: undefined,
  similarity: undefined,
  distanceProfile: undefined,
  tableStatistics: undefined,
  spectrum: undefined,
  principalComponents: undefined,
  linearProbe: undefined,
  shiftMatrix: undefined,
  shiftResidual: undefined,
  rotationResidual: undefined,
  permutationError: undefined,
  reorder: undefined,
  gaussian: undefined,
};

export const methods = Object.keys(FIRST_ARGUMENT) as readonly Method[];

/** Number of arguments of a method. */
export const arity = (method: Method) => (FIRST_ARGUMENT[method] === undefined ? 1 : 2);

/** The arguments of a call as a single request for WebAssembly. */
export function requestOf(method: Method, args: readonly unknown[]): FlatRequest {
  const first = FIRST_ARGUMENT[method];
  if (first !== undefined) return flatRequest(method, args[1] ?? {}, 2, [first, args[0]]);
  return flatRequest(method, args[0], 1);
}

/** Rejects arguments beyond `count` instead of ignoring them. */
export function refuseExtraArguments(method: Method, args: readonly unknown[], count: number, reason: string): void {
  const extra = args.findIndex((value, at) => at >= count && value !== undefined);
  if (extra >= 0) throw new PhasorError('invalid_argument', `${method}: argument ${extra + 1} is ${printed(args[extra])}; ${reason}`);
}

/** An object with every method, each made by `make`. */
export function withMethods<T extends object>(make: (method: Method) => (...args: unknown[]) => unknown): Pick<T, Method & keyof T> {
  return Object.fromEntries(methods.map((method) => [method, make(method)])) as Pick<T, Method & keyof T>;
}
