import { type Method, prepareCall } from '../call/methods.ts';
import { PhasorError } from '../errors.ts';
import { cloneRequest } from '../request/flat-request.ts';
import { invalidValueError } from '../request/invalid-value.ts';
import { OUT_HANDLER } from '../request/out.ts';
import { copyIntoOut } from '../request/out-arrays.ts';
import { clonePlain } from '../request/plain.ts';
import type { AttentionRequest, AttentionResult, PhasorPool } from '../types/api.ts';
import { createRemotePhasor, disposedError, parseCallOptions, type RemoteInfo } from '../worker/remote.ts';
import type { WorkerClient } from '../worker/worker-client.ts';
import { joinResults, sliceRequest, splitQueries } from './query-ranges.ts';

const MAX_WORKERS = 64;

/** Returns the requested number of workers; default: one per core, but at most 8. */
export function resolveWorkerCount(requested: number | undefined, cores: number): number {
  if (requested === undefined) return Math.min(8, Math.max(1, cores));
  if (Number.isInteger(requested) && requested >= 1 && requested <= MAX_WORKERS) return requested;
  throw invalidValueError('workers', requested, `is not a whole number from 1 to ${MAX_WORKERS}`, { min: 1, max: MAX_WORKERS });
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/**
 * Combines several workers into one engine. Calls to `attention` are split across the workers. Tensors and encodings are created in every
 * worker. All other calls go to the first worker.
 */
export function createPoolEngine(clients: readonly [WorkerClient, ...WorkerClient[]], info: RemoteInfo): PhasorPool {
  const owner = {
    release(handleNumber: number) {
      for (const client of clients) client.release(handleNumber);
    },
  };
  const broadcastMethod =
    (method: Method) =>
    async (...args: unknown[]): Promise<never> => {
      const { signal } = parseCallOptions(method, args);
      const { request, toResult, createdNumber } = prepareCall(method, args, owner, OUT_HANDLER);
      const results = await Promise.allSettled(clients.map((client) => client.call(method, cloneRequest(method, request), signal)));
      const failure = results.find((response) => response.status === 'rejected');
      if (failure) {
        owner.release(createdNumber as number);
        throw failure.reason;
      }
      return toResult((results[0] as PromiseFulfilledResult<unknown>).value) as never;
    };
  const findLeastBusyClient = () => clients.reduce((leastBusy, client) => (client.callCount < leastBusy.callCount ? client : leastBusy));

  const attention = async (...args: unknown[]): Promise<AttentionResult> => {
    const { signal } = parseCallOptions('attention', args);
    const request = clonePlain(args[0], 'attention: argument 1');
    const { request: wholeRequest } = prepareCall('attention', [request], owner, OUT_HANDLER);
    const serializePart = (part: unknown) => cloneRequest('attention', prepareCall('attention', [part], owner, OUT_HANDLER).request);
    const runUnsplit = async () =>
      copyIntoOut(
        (await findLeastBusyClient().call('attention', cloneRequest('attention', wholeRequest), signal)) as AttentionResult,
        wholeRequest.out,
      );
    const ranges = isObject(request) ? splitQueries(request as AttentionRequest, clients.length) : [];
    if (ranges.length < 2) return runUnsplit();

    const parts = ranges.map((range) => serializePart(sliceRequest(request as AttentionRequest, range)));
    const calls = parts.map((part, i) => (clients[i] as WorkerClient).call('attention', part, signal));
    const responses = await Promise.allSettled(calls);
    const failures = responses.flatMap((settledCall) => (settledCall.status === 'rejected' ? [PhasorError.from(settledCall.reason)] : []));
    if (failures.length === 0) return copyIntoOut(joinResults(await Promise.all(calls as Promise<AttentionResult>[])), wholeRequest.out);
    const workerError = failures.find(({ code }) => code === 'cancelled' || code === 'internal');
    if (workerError) throw workerError;
    // Row numbers in an error from a part are relative to that part. Running the whole request produces the same error with the correct
    // row.
    return runUnsplit();
  };
  const dispose = () => {
    for (const client of clients) client.end(disposedError());
  };
  return Object.assign(createRemotePhasor(clients[0], info, { owner, dispose, out: OUT_HANDLER }), {
    attention: attention as PhasorPool['attention'],
    createTensor: broadcastMethod('createTensor'),
    createEncoding: broadcastMethod('createEncoding'),
    workers: clients.length,
  });
}
