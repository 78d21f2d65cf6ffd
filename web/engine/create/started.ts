// Starts engines in workers. Callers can provide a worker script or a function that starts a worker.

import type { PhasorError } from '../errors.ts';
import { argumentError } from '../errors.ts';
import type { CompiledModule } from '../load/compile.ts';
import { startTimeout, timeoutReason } from '../load/fetch-wasm.ts';
import { compileWasm, parseUrl, readTimeout } from '../load/wasm-option.ts';
import type { Platform, WorkerPort } from '../platform/platform.ts';
import { cloneRequest } from '../request/flat-request.ts';
import { invalidValueError } from '../request/invalid-value.ts';
import { getTag } from '../request/plain.ts';
import type { RemotePhasor, WorkerOptions } from '../types/api.ts';
import type { EngineInfo } from '../worker/messages.ts';
import { disposedError } from '../worker/remote.ts';
import { WorkerClient } from '../worker/worker-client.ts';
import type { DedicatedEngine } from './own-engine.ts';

/**
 * Loads the engine for the calling thread, the fallback if workers are unavailable. Omitted in the project's own pages, where it would be a second
 * copy of the engine.
 */
export type LoadSameThread = () => Promise<{ sameThread(): WorkerPort }>;

export interface StartOptions {
  readonly platform: Platform;
  readonly source: string;
  readonly loadSameThread: LoadSameThread | undefined;
  /** Whether multiplications and additions may be fused. False if results must be bitwise equal on every machine; default: true. */
  readonly mayFuse?: boolean;
}

/** Error codes that trigger the fallback. */
const UNAVAILABLE_CODES: readonly unknown[] = ['worker_unavailable', 'blocked_by_csp', 'timeout'];

function chooseWorkerStarter({ worker }: WorkerOptions, { platform, source }: StartOptions): () => WorkerPort {
  if (worker === undefined || worker === null) return () => platform.start(source);
  if (typeof worker === 'function') return () => platform.start(worker);
  const scriptUrl: unknown = typeof worker === 'string' ? parseUrl('worker', worker, platform) : worker;
  if (getTag(scriptUrl) === '[object URL]') return () => platform.start(scriptUrl as URL);
  throw invalidValueError('worker', worker, 'is neither a URL nor a function that starts a worker');
}

interface StartedWorkers {
  readonly clients: readonly [WorkerClient, ...WorkerClient[]];
  readonly info: EngineInfo & Pick<RemotePhasor, 'thread' | 'fallbackReason'>;
}

/** Creates clients for `count` workers and starts the first worker. The other workers start on demand. */
export async function startWorkers(options: WorkerOptions, count: number, startOptions: StartOptions): Promise<StartedWorkers> {
  const { fallback } = options;
  const { platform, loadSameThread, mayFuse = true } = startOptions;
  if (fallback !== undefined && fallback !== null && fallback !== 'same-thread') {
    throw invalidValueError('fallback', fallback, 'is not "same-thread"', ['same-thread']);
  }
  const [startWorker, timeoutMs] = [chooseWorkerStarter(options, startOptions), readTimeout(options.timeout)];
  const compiled = await compileWasm(options, platform, mayFuse);
  const firstClient = new WorkerClient(startWorker, compiled);
  const stopTimer = startTimeout(timeoutMs, () => firstClient.end(argumentError('worker', timeoutReason(timeoutMs), { code: 'timeout' })));
  try {
    const info = await firstClient.start();
    return { clients: [firstClient, ...createLaterClients(count, startWorker, compiled)], info: { ...info, thread: 'worker' } };
  } catch (thrown) {
    const failure = thrown as PhasorError;
    if (!(fallback && loadSameThread && UNAVAILABLE_CODES.includes(failure.code))) throw failure;
    const sameThreadClient = new WorkerClient((await loadSameThread()).sameThread, compiled);
    return { clients: [sameThreadClient], info: { ...(await sameThreadClient.start()), thread: 'same-thread', fallbackReason: failure } };
  } finally {
    stopTimer();
  }
}

const createLaterClients = (count: number, startWorker: () => WorkerPort, compiled: CompiledModule) =>
  Array.from({ length: count - 1 }, () => new WorkerClient(startWorker, compiled));

/**
 * Returns an engine for one trainer or model, in the worker of `client`.
 * @param end frees the memory of the trainer with this number
 */
export const createWorkerEngine = (
  client: WorkerClient,
  { variant, thread }: StartedWorkers['info'],
  end: (trainer?: number) => void,
): DedicatedEngine & { end: typeof end } => ({
  variant,
  thread,
  call: (name, request) => client.call(name, cloneRequest(name, request)),
  pause: () => undefined, // The worker computes, so this thread never blocks.
  end,
});

export async function startDedicatedWorker(options: WorkerOptions, startOptions: StartOptions): Promise<DedicatedEngine> {
  const { clients, info } = await startWorkers(options, 1, startOptions);
  const [client] = clients;
  return createWorkerEngine(client, info, () => client.end(disposedError()));
}
