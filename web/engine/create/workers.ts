// Functions that create engines in workers, for one platform. Each is a separate function, so that bundlers leave out those that a page does not
// call.
import workerSource from '#worker-source';
import { type PhasorError, refusal } from '../errors.ts';
import type { Compiled } from '../load/compile.ts';
import { deadline, noAnswer } from '../load/fetch-wasm.ts';
import { addressOf, compileOption, waitOf } from '../load/wasm-option.ts';
import type { Platform, WorkerPort } from '../platform/platform.ts';
import { poolPhasor, workerCount } from '../pool/pool.ts';
import { readOptions } from '../request/options.ts';
import { OUT_RULES } from '../request/out.ts';
import { tagOf } from '../request/plain.ts';
import { refusedValue } from '../request/refused-value.ts';
import type { PhasorPool, PoolOptions, RemotePhasor, WorkerOptions } from '../types/api.ts';
import type { EngineInfo } from '../worker/messages.ts';
import { remotePhasor } from '../worker/remote.ts';
import { WorkerClient } from '../worker/worker-client.ts';

export const WORKER_OPTIONS = ['wasm', 'variant', 'timeout', 'worker', 'fallback'] as const;

/** Loads the fallback for a worker. The pages of this project have none, and so no second copy of the engine. */
export type SameThread = () => Promise<{ sameThread(): WorkerPort }>;

/** The error codes that mean that no worker is available. */
const REFUSALS: readonly unknown[] = ['worker_unavailable', 'blocked_by_csp', 'timeout'];

/** How to start a worker. */
function opener({ worker }: WorkerOptions, platform: Platform): () => WorkerPort {
  if (worker === undefined || worker === null) return () => platform.start(workerSource);
  if (typeof worker === 'function') return () => platform.start(worker);
  const address: unknown = typeof worker === 'string' ? addressOf('worker', worker, platform) : worker;
  if (tagOf(address) === '[object URL]') return () => platform.start(address as URL);
  throw refusedValue('worker', worker, 'is not an address or a function that starts a worker');
}

interface StartedWorkers {
  readonly clients: readonly [WorkerClient, ...WorkerClient[]];
  readonly info: EngineInfo & Pick<RemotePhasor, 'thread' | 'fallbackReason'>;
}

/** The first of `count` workers, started; the others start when they are needed. */
export async function started(
  options: WorkerOptions,
  count: number,
  platform: Platform,
  sameThread: SameThread | undefined,
  mayFuse = true,
): Promise<StartedWorkers> {
  const { fallback } = options;
  if (fallback !== undefined && fallback !== null && fallback !== 'same-thread') {
    throw refusedValue('fallback', fallback, 'is not "same-thread"', ['same-thread']);
  }
  const [open, wait] = [opener(options, platform), waitOf(options.timeout)];
  const compiled = await compileOption(options, platform, mayFuse);
  const first = new WorkerClient(open, compiled);
  const stop = deadline(wait, () => first.end(refusal('worker', noAnswer(wait), { code: 'timeout' })));
  try {
    const info = await first.start();
    return { clients: [first, ...others(count, open, compiled)], info: { ...info, thread: 'worker' } };
  } catch (thrown) {
    const failure = thrown as PhasorError;
    if (!(fallback && sameThread && REFUSALS.includes(failure.code))) throw failure;
    const only = new WorkerClient((await sameThread()).sameThread, compiled);
    return { clients: [only], info: { ...(await only.start()), thread: 'same-thread', fallbackReason: failure } };
  } finally {
    stop();
  }
}

const others = (count: number, open: () => WorkerPort, compiled: Compiled) =>
  Array.from({ length: count - 1 }, () => new WorkerClient(open, compiled));

export const workerCreator = (platform: Platform, sameThread?: SameThread) =>
  async function createPhasorWorker(options: WorkerOptions = {}): Promise<RemotePhasor> {
    const { clients, info } = await started(readOptions(options, WORKER_OPTIONS), 1, platform, sameThread);
    return remotePhasor(clients[0], info, { out: OUT_RULES });
  };

export const poolCreator = (platform: Platform, sameThread?: SameThread) =>
  async function createPhasorPool(provided: PoolOptions = {}): Promise<PhasorPool> {
    const { workers, ...options } = readOptions(provided, [...WORKER_OPTIONS, 'workers']);
    const { clients, info } = await started(options, workerCount(workers, platform.cores()), platform, sameThread);
    return poolPhasor(clients, info);
  };
