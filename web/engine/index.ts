// Phasor for browsers and bundlers.

import { directCreator, poolCreator, workerCreator } from './create.ts';
import { browser } from './platform.browser.ts';
import type { Phasor, PhasorOptions, PhasorPool, PoolOptions, RemotePhasor } from './types.ts';

export { chooseVariant } from './detect.ts';
export { type ErrorCode, PhasorError } from './errors.ts';
export { splitHeads, splitQkv } from './split-heads.ts';
export type * from './types.ts';

/** An engine on the calling thread. */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = /* @__PURE__ */ directCreator(browser);

/** An engine in a dedicated worker, so that the page stays responsive. Call `dispose()` to terminate it. */
export const createPhasorWorker: (options?: PhasorOptions) => Promise<RemotePhasor> = /* @__PURE__ */ workerCreator(browser);

/** An engine that splits each `attention` across several workers (default: one per core, at most 8). Call `dispose()` to terminate them. */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = /* @__PURE__ */ poolCreator(browser);
