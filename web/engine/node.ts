// Phasor for Node: the same API; files are read from disk and workers are worker threads.

import { directCreator, poolCreator, workerCreator } from './create.ts';
import { node } from './platform.node.ts';
import type { Phasor, PhasorOptions, PhasorPool, PoolOptions, RemotePhasor } from './types.ts';

export { chooseVariant } from './detect.ts';
export { type ErrorCode, PhasorError } from './errors.ts';
export { splitHeads, splitQkv } from './split-heads.ts';
export type * from './types.ts';

/** An engine on the calling thread. */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = /* @__PURE__ */ directCreator(node);

/** An engine in a dedicated worker thread. Call `dispose()` to terminate it; until then it keeps the process alive. */
export const createPhasorWorker: (options?: PhasorOptions) => Promise<RemotePhasor> = /* @__PURE__ */ workerCreator(node);

/** An engine that splits each `attention` across several workers (default: one per core, at most 8). Call `dispose()` to terminate them. */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = /* @__PURE__ */ poolCreator(node);
