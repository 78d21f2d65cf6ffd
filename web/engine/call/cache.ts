// Key-value caches: their handles, with methods.

import type { KvCache } from '../types/api.ts';
import type { Method } from './methods.ts';

/**
 * Calls a method of an engine.
 * @returns its result, or a promise of it
 */
export type Run = (method: Method, args: readonly unknown[]) => unknown;

/** Applies `use` to a result, after it resolves if it is a promise. */
const afterResult = <T>(result: unknown, use: (value: never) => T): T | Promise<T> =>
  result instanceof Promise ? result.then((value) => use(value as never)) : use(result as never);

/**
 * The cache of a new handle.
 * @param created the handle, or a promise of it
 * @param source the request that creates it, or the cache that it copies
 */
export const cacheOf = (created: unknown, source: unknown, call: Run) =>
  afterResult(created, (handle: object) => {
    let { length = 0 } = source as Partial<KvCache>;
    const counted = (result: unknown) =>
      afterResult(result, (response: { readonly length: number }) => {
        length = response.length;
        return response;
      });
    return Object.defineProperties(handle, {
      length: { get: () => length, enumerable: true },
      decode: { value: (...args: unknown[]) => counted(call('decode', [handle, ...args])) },
      truncate: {
        value: (stored: unknown, ...rest: unknown[]) =>
          afterResult(counted(call('truncate', [handle, { length: stored }, ...rest])), () => {}),
      },
      fork: { value: (...args: unknown[]) => call('fork', [handle, ...args]) },
    });
  });
