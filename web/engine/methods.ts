// The methods of an engine: the one list that the engine itself, its workers and their callers are made from.

import { PhasorError } from './errors.ts';
import { type FlatRequest, flatRequest } from './flat-request.ts';
import { printed } from './plain.ts';
import type { Phasor } from './types.ts';

export type Method = { [K in keyof Phasor]: Phasor[K] extends (...args: never) => unknown ? K : never }[keyof Phasor];

/** Each method, and what its first argument is called where it stands before the request: rotate(x, request). */
const FIRST: Record<Method, string | undefined> = {
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
  tableFacts: undefined,
  spectrum: undefined,
  principalComponents: undefined,
  decodability: undefined,
  shiftMatrix: undefined,
  shiftResidual: undefined,
  rotationResidual: undefined,
  permutationError: undefined,
  reorder: undefined,
  gaussian: undefined,
};

export const methods = Object.keys(FIRST) as readonly Method[];

/** How many arguments a method takes. */
export const arity = (method: Method) => (FIRST[method] === undefined ? 1 : 2);

/** The arguments of a call as the one request that crosses into WebAssembly. */
export function requestOf(method: Method, args: readonly unknown[]): FlatRequest {
  const first = FIRST[method];
  if (first !== undefined) return flatRequest(method, args[1] ?? {}, 2, [first, args[0]]);
  return flatRequest(method, args[0], 1);
}

/** Refuses arguments from number `count` on: what would be ignored may have been meant. */
export function takeNoMore(method: Method, args: readonly unknown[], count: number, says: string): void {
  const extra = args.findIndex((value, at) => at >= count && value !== undefined);
  if (extra >= 0) throw new PhasorError('invalid_argument', `${method}: argument ${extra + 1} is ${printed(args[extra])}; ${says}`);
}

/** An object with every method, each made by `make`. */
export function withMethods<T extends object>(make: (method: Method) => (...args: unknown[]) => unknown): Pick<T, Method & keyof T> {
  return Object.fromEntries(methods.map((method) => [method, make(method)])) as Pick<T, Method & keyof T>;
}
