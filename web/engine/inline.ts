// phasor/inline for browsers and bundlers: engines whose WebAssembly is embedded in the script.

import { directCreator } from './create/direct.ts';
import { poolCreator, workerCreator } from './create/workers.ts';
import { browser } from './platform/browser.ts';
import { withInlineFile } from './platform/inline.ts';
import type { Phasor, PhasorOptions, PhasorPool, PoolOptions, RemotePhasor, WorkerOptions } from './types/api.ts';

export * from './shared-exports.ts';

const platform = /* @__PURE__ */ withInlineFile(browser);
const sameThread = () => import('./worker/same-thread.ts');

/**
 * Creates an engine on the calling thread.
 * @throws {PhasorError} rejects with `not_found`, `fetch_failed`, `not_wasm`, `truncated`, `timeout` or `blocked_by_csp` if the WebAssembly
 * cannot be loaded, with `unsupported` if the JavaScript engine has no WebAssembly, and with `unknown_name` or `invalid_argument` for
 * invalid options
 * @example
 * ```js
 * const { createPhasor } = await import('phasor/inline');
 * const engine = await createPhasor({ variant: 'simd' });
 * engine.variant; // 'simd'
 * ```
 */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = /* @__PURE__ */ directCreator(platform);

/**
 * Creates an engine in a dedicated worker, so that the page stays responsive. Call `dispose()` to terminate it; until then it keeps a Node process
 * alive.
 * @throws {PhasorError} rejects with the errors of `createPhasor`, and with `worker_unavailable` or `blocked_by_csp` if no worker can be
 * started and `fallback` is not set
 * @example
 * ```js
 * const { createPhasorWorker } = await import('phasor/inline');
 * const engine = await createPhasorWorker({ fallback: 'same-thread' });
 * (await engine.positionTable({ encoding: 'sinusoidal', length: 2, dim: 4 })).shape; // [2, 4]
 * engine.dispose();
 * ```
 */
export const createPhasorWorker: (options?: WorkerOptions) => Promise<RemotePhasor> = /* @__PURE__ */ workerCreator(platform, sameThread);

/**
 * Creates an engine that splits each `attention` call across several workers (default: one per core, at most 8). Call `dispose()` to terminate
 * them.
 * @throws {PhasorError} rejects with the errors of `createPhasorWorker`, and with `invalid_argument` for a number of workers out of range
 * @example
 * ```js
 * const { createPhasorPool } = await import('phasor/inline');
 * const pool = await createPhasorPool({ workers: 2 });
 * const x = await pool.randomNormal({ seed: 1, shape: [4, 16, 8] });
 * (await pool.attention({ q: x, k: x, v: x })).output.shape; // [4, 16, 8]
 * pool.dispose();
 * ```
 */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = /* @__PURE__ */ poolCreator(platform, sameThread);
