import { poolCreator, workerCreator } from './create/workers.ts';
import { node } from './platform/node.ts';
import type { PhasorPool, PoolOptions, RemotePhasor, WorkerOptions } from './types/api.ts';

export * from './shared-exports.ts';

const importSameThread = () => import('./worker/same-thread.ts');

/** Creates an engine in a worker thread, which keeps the process alive until `dispose()` is called. */
export const createPhasorWorker: (options?: WorkerOptions) => Promise<RemotePhasor> = /* @__PURE__ */ workerCreator(node, importSameThread);

/**
 * Creates an engine that splits each call to `attention` across several workers (default: one per core, at most 8). Call `dispose()` to
 * terminate them.
 */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = /* @__PURE__ */ poolCreator(node, importSameThread);
