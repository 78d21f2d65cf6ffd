// phasor/inline for Node: engines whose WebAssembly is embedded in the script.

import { directCreator } from './create/direct.ts';
import { poolCreator, workerCreator } from './create/workers.ts';
import { withInlineFile } from './platform/inline.ts';
import { node } from './platform/node.ts';
import type { Phasor, PhasorOptions, PhasorPool, PoolOptions, RemotePhasor, WorkerOptions } from './types/api.ts';

export * from './shared-exports.ts';

const platform = /* @__PURE__ */ withInlineFile(node);
const sameThread = () => import('./worker/same-thread.ts');

/** Creates an engine on the calling thread. */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = /* @__PURE__ */ directCreator(platform);

/** Creates an engine in a dedicated worker thread. Call `dispose()` to terminate it; until then it keeps the process alive. */
export const createPhasorWorker: (options?: WorkerOptions) => Promise<RemotePhasor> = /* @__PURE__ */ workerCreator(platform, sameThread);

/**
 * Creates an engine that splits each `attention` call across several workers (default: one per core, at most 8). Call `dispose()` to terminate
 * them.
 */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = /* @__PURE__ */ poolCreator(platform, sameThread);
