import type { KvCache } from '../types/api.ts';
import type { Method } from './methods.ts';

/**
 * Calls a method on an engine.
 * @returns the result of the method, or a promise of it
 */
export type RunMethod = (method: Method, args: readonly unknown[]) => unknown;

/** Applies `use` to a result, or to the resolved value if the result is a promise. */
const mapResult = <T>(result: unknown, use: (value: never) => T): T | Promise<T> =>
  result instanceof Promise ? result.then((value) => use(value as never)) : use(result as never);

/**
 * Adds `decode`, `truncate`, `fork` and `length` to a new cache handle.
 * @param created the handle, or a promise of it
 * @param source the request that creates the cache, or the cache to copy
 */
export const addCacheMethods = (created: unknown, source: unknown, call: RunMethod) =>
  mapResult(created, (handle: object) => {
    let { length = 0 } = source as Partial<KvCache>;
    const trackLength = (result: unknown) =>
      mapResult(result, (response: { readonly length: number }) => {
        length = response.length;
        return response;
      });
    return Object.defineProperties(handle, {
      length: { get: () => length, enumerable: true },
      decode: { value: (...args: unknown[]) => trackLength(call('decode', [handle, ...args])) },
      truncate: {
        value: (newLength: unknown, ...callOptions: unknown[]) =>
          mapResult(trackLength(call('truncate', [handle, { length: newLength }, ...callOptions])), () => {}),
      },
      fork: { value: (...args: unknown[]) => call('fork', [handle, ...args]) },
    });
  });
