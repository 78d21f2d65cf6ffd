// phasor/worker for Node: engines in worker threads.

import { poolCreator, workerCreator } from './create/workers.ts';
import { node } from './platform/node.ts';
import type { PhasorPool, PoolOptions, RemotePhasor, WorkerOptions } from './types/api.ts';

export * from './shared-exports.ts';

const importSameThread = () => import('./worker/same-thread.ts');

/** An engine in a dedicated worker thread. Call `dispose()` to terminate it; until then it keeps the process alive. */
export const createPhasorWorker: (options?: WorkerOptions) => Promise<RemotePhasor> = /* @__PURE__ */ workerCreator(node, importSameThread);

/** An engine that splits each `attention` across several workers (default: one per core, at most 8). Call `dispose()` to terminate them. */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = /* @__PURE__ */ poolCreator(node, importSameThread);
