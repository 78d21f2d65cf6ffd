// Key-value caches: their handles, with methods.

import type { KvCache } from '../types/api.ts';
import type { Method } from './methods.ts';

/** Calls a method of an engine: its result, or the promise of it. */
export type Run = (method: Method, args: readonly unknown[]) => unknown;

/** `use` of a result, when it is there. */
const afterwards = <T>(result: unknown, use: (value: never) => T): T | Promise<T> =>
  result instanceof Promise ? result.then((value) => use(value as never)) : use(result as never);

/**
 * The cache of a new handle.
 * @param created the handle, or the promise of it
 * @param source the request to create it, or the cache that it is a copy of
 */
export const cacheOf = (created: unknown, source: unknown, call: Run) =>
  afterwards(created, (handle: object) => {
    let { length = 0 } = source as Partial<KvCache>;
    const counted = (result: unknown) =>
      afterwards(result, (response: { readonly length: number }) => {
        length = response.length;
        return response;
      });
    return Object.defineProperties(handle, {
      length: { get: () => length, enumerable: true },
      decode: { value: (...args: unknown[]) => counted(call('decode', [handle, ...args])) },
      truncate: {
        value: (stored: unknown, ...rest: unknown[]) =>
          afterwards(counted(call('truncate', [handle, { length: stored }, ...rest])), () => {}),
      },
      fork: { value: (...args: unknown[]) => call('fork', [handle, ...args]) },
    });
  });
