// Phasor for browsers and bundlers.

import { creators } from './create.ts';
import { browser } from './platform.browser.ts';
import type { Phasor, PhasorOptions, PhasorPool, PoolOptions, RemotePhasor } from './types.ts';

export { chooseVariant } from './detect.ts';
export { type ErrorCode, PhasorError } from './errors.ts';
export { splitHeads, splitQkv } from './split-heads.ts';
export type * from './types.ts';

const created = creators(browser);

/** An engine on the calling thread. */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = created.createPhasor;

/** An engine in a dedicated worker, so that the page stays responsive. Call `dispose()` to terminate it. */
export const createPhasorWorker: (options?: PhasorOptions) => Promise<RemotePhasor> = created.createPhasorWorker;

/** An engine that splits each `attention` across several workers (default: one per core, at most 8). Call `dispose()` to terminate them. */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = created.createPhasorPool;
