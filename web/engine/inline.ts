// phasor/inline for browsers and bundlers: everything, with both WebAssembly files inside.

import { directCreator } from './create.ts';
import { poolCreator, workerCreator } from './create-workers.ts';
import { browser } from './platform.browser.ts';
import { withInlineFiles } from './platform.inline.ts';
import type { Phasor, PhasorOptions, PhasorPool, PoolOptions, RemotePhasor, WorkerOptions } from './types.ts';

export * from './shared-exports.ts';

const platform = /* @__PURE__ */ withInlineFiles(browser);
const sameThread = () => import('./same-thread.ts');

/** An engine on the calling thread. */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = /* @__PURE__ */ directCreator(platform);

/** An engine in a dedicated worker, so that the page stays responsive. Call `dispose()` to terminate it. */
export const createPhasorWorker: (options?: WorkerOptions) => Promise<RemotePhasor> = /* @__PURE__ */ workerCreator(platform, sameThread);

/** An engine that splits each `attention` across several workers (default: one per core, at most 8). Call `dispose()` to terminate them. */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = /* @__PURE__ */ poolCreator(platform, sameThread);
