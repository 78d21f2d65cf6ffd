// Creates `createPhasorWorker` and `createPhasorPool` for a platform. They are separate functions, so that bundlers remove those that a page does not
// call.
import source from '#worker-source';
import type { Platform } from '../platform/platform.ts';
import { poolPhasor, workerCount } from '../pool/pool.ts';
import { readOptions } from '../request/options.ts';
import { OUT_RULES } from '../request/out.ts';
import type { PhasorPool, PoolOptions, RemotePhasor, WorkerOptions } from '../types/api.ts';
import { remotePhasor } from '../worker/remote.ts';
import { WORKER_OPTION_NAMES } from './option-names.ts';
import { type SameThread, startWorkers } from './started.ts';

export const workerCreator = (platform: Platform, sameThread?: SameThread) =>
  async function createPhasorWorker(options: WorkerOptions = {}): Promise<RemotePhasor> {
    const { clients, info } = await startWorkers(readOptions(options, WORKER_OPTION_NAMES), 1, { platform, source, sameThread });
    return remotePhasor(clients[0], info, { out: OUT_RULES });
  };

export const poolCreator = (platform: Platform, sameThread?: SameThread) =>
  async function createPhasorPool(poolOptions: PoolOptions = {}): Promise<PhasorPool> {
    const { workers, ...options } = readOptions(poolOptions, [...WORKER_OPTION_NAMES, 'workers']);
    const count = workerCount(workers, platform.cores());
    const { clients, info } = await startWorkers(options, count, { platform, source, sameThread });
    return poolPhasor(clients, info);
  };
