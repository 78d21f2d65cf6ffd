// Phasor for browsers and bundlers.

import { creators } from './create.ts';
import { browser } from './platform.browser.ts';
import type { Phasor, PhasorOptions, PhasorPool, PoolOptions, RemotePhasor } from './types.ts';

export { chooseVariant } from './detect.ts';
export { type ErrorCode, PhasorError } from './errors.ts';
export type * from './types.ts';

const created = creators(browser);

/** An engine on the calling thread. */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = created.createPhasor;

/** An engine in a worker of its own, so that the page stays responsive. Ends with `dispose()`. */
export const createPhasorWorker: (options?: PhasorOptions) => Promise<RemotePhasor> = created.createPhasorWorker;

/** Several workers that share each attention, as many as the machine has cores and at most 8 unless given. Ends with `dispose()`. */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = created.createPhasorPool;
