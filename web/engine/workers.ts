// phasor/worker for browsers and bundlers: engines in workers.

import { poolCreator, workerCreator } from './create-workers.ts';
import { browser } from './platform.browser.ts';
import type { PhasorPool, PoolOptions, RemotePhasor, WorkerOptions } from './types.ts';

export * from './shared-exports.ts';

const sameThread = () => import('./same-thread.ts');

/** An engine in a dedicated worker, so that the page stays responsive. Call `dispose()` to terminate it. */
export const createPhasorWorker: (options?: WorkerOptions) => Promise<RemotePhasor> = /* @__PURE__ */ workerCreator(browser, sameThread);

/** An engine that splits each `attention` across several workers (default: one per core, at most 8). Call `dispose()` to terminate them. */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = /* @__PURE__ */ poolCreator(browser, sameThread);
