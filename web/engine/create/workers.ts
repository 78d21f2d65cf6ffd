// Returns `createPhasorWorker` and `createPhasorPool` for a platform (browsers or Node). Two functions, so that bundlers can drop the one that a page
// does not call.
import source from '#worker-source';
import type { Platform } from '../platform/platform.ts';
import { createPoolEngine, resolveWorkerCount } from '../pool/pool.ts';
import { readOptions } from '../request/options.ts';
import { OUT_HANDLER } from '../request/out.ts';
import type { PhasorPool, PoolOptions, RemotePhasor, WorkerOptions } from '../types/api.ts';
import { createRemotePhasor } from '../worker/remote.ts';
import { WORKER_OPTION_NAMES } from './option-names.ts';
import { type LoadSameThread, startWorkers } from './started.ts';

export const workerCreator = (platform: Platform, loadSameThread?: LoadSameThread) =>
  async function createPhasorWorker(options: WorkerOptions = {}): Promise<RemotePhasor> {
    const { clients, info } = await startWorkers(readOptions(options, WORKER_OPTION_NAMES), 1, { platform, source, loadSameThread });
    return createRemotePhasor(clients[0], info, { out: OUT_HANDLER });
  };

export const poolCreator = (platform: Platform, loadSameThread?: LoadSameThread) =>
  async function createPhasorPool(poolOptions: PoolOptions = {}): Promise<PhasorPool> {
    const { workers, ...options } = readOptions(poolOptions, [...WORKER_OPTION_NAMES, 'workers']);
    const count = resolveWorkerCount(workers, platform.countCores());
    const { clients, info } = await startWorkers(options, count, { platform, source, loadSameThread });
    return createPoolEngine(clients, info);
  };
