import { PhasorError } from './errors.ts';
import type { Lane } from './lane.ts';
import { copyOf, type Facts, type Method } from './messages.ts';
import type { CallOptions, RemotePhasor } from './types.ts';

/** `{ signal }` stands behind the arguments of any method; no request has such a field. */
export function takeOptions(method: string, args: readonly unknown[]): { args: readonly unknown[]; signal?: AbortSignal } {
  const last = args.at(-1);
  if (typeof last !== 'object' || last === null || !('signal' in last)) return { args };
  const { signal } = last as CallOptions;
  if (signal === undefined) return { args: args.slice(0, -1) };
  if (signal instanceof AbortSignal) return { args: args.slice(0, -1), signal };
  throw new PhasorError('invalid_argument', `${method}: signal: ${String(signal)} is not an AbortSignal`);
}

/** The engine in a worker: the same methods, each returning a promise. Calls are answered in the order they were made. */
export function remotePhasor(lane: Lane, facts: Facts, dispose = () => lane.end(disposed())): RemotePhasor {
  const call = async (method: Method, given: readonly unknown[]) => {
    const { args, signal } = takeOptions(method, given);
    return lane.call(method, copyOf(method, args), signal);
  };
  const methods = new Proxy({} as Record<Method, unknown>, {
    // `then` must stay undefined: a promise that resolves with this object would otherwise call it.
    get: (_, name) => (typeof name === 'string' && name !== 'then' ? (...args: unknown[]) => call(name as Method, args) : undefined),
  });
  return Object.assign(Object.create(methods) as RemotePhasor, facts, { dispose });
}

export const disposed = () => new PhasorError('internal', 'the worker was disposed');
