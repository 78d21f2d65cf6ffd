import { argumentCount, argumentName, type Method, prepareCall, rejectExtraArguments, withMethods } from '../call/methods.ts';
import { PhasorError } from '../errors.ts';
import { type HandleOwner, makeDisposable } from '../handles.ts';
import { cloneRequest } from '../request/flat-request.ts';
import type { OutHandler } from '../request/out.ts';
import { inspect, isPlain, readField } from '../request/plain.ts';
import { listOldWorkerNames, withOldNames } from '../request/renamed.ts';
import type { CallOptions, RemotePhasor } from '../types/api.ts';
import type { WorkerClient } from './worker-client.ts';

/** Parses the call options, which follow the method's own arguments. */
export function parseCallOptions(method: Method, args: readonly unknown[]): CallOptions {
  const optionsIndex = argumentCount(method);
  rejectExtraArguments(method, args, optionsIndex + 1, 'a call takes no further arguments');
  const options = args[optionsIndex];
  if (options === undefined || options === null) return {};
  return readField(`${method}: options`, () => {
    if (typeof options !== 'object' || !isPlain(options)) {
      throw new PhasorError(
        'invalid_argument',
        `${method}: ${argumentName(method, optionsIndex)} is ${inspect(options)}; expected call options {signal}`,
      );
    }
    const unknownOption = Object.keys(options).find((name) => name !== 'signal');
    if (unknownOption !== undefined)
      throw new PhasorError('unknown_name', `${method}: ${unknownOption} is not a call option; expected signal`);
    const { signal } = options as { signal?: unknown };
    if (signal === undefined || signal === null) return {};
    if (signal instanceof AbortSignal) return { signal };
    throw new PhasorError('invalid_argument', `${method}: signal: ${inspect(signal)} is not an AbortSignal`);
  });
}

export type RemoteInfo = Pick<RemotePhasor, 'variant' | 'version' | 'encodings' | 'thread' | 'fallbackReason'>;

export interface RemoteOptions {
  /** The owner of created handles; default: the worker client. */
  readonly owner?: HandleOwner;
  /** Called by the engine's `dispose`; default: terminates the worker. */
  readonly dispose?: () => void;
  /** Writes results into arrays provided by the caller. If absent, results are returned in new arrays. */
  readonly out?: OutHandler;
}

/** Creates an engine whose methods run in a worker and return promises. Calls complete in order. */
export function createRemotePhasor(
  client: WorkerClient,
  info: RemoteInfo,
  { owner = client, dispose = () => client.end(disposedError()), out }: RemoteOptions = {},
): RemotePhasor {
  const methods = withMethods<RemotePhasor>(async (method, args) => {
    const { signal } = parseCallOptions(method, args);
    const { request, toResult } = prepareCall(method, args, owner, out);
    const response = await client.call(method, cloneRequest(method, request), signal);
    return toResult(out ? out.fill(response, request.out) : response);
  });
  return makeDisposable(withOldNames({ ...info, ...methods, dispose } as RemotePhasor, listOldWorkerNames()), dispose);
}

export const disposedError = () => new PhasorError('internal', 'the worker was disposed');
