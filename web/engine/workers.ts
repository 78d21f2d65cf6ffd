import { poolCreator, workerCreator } from './create/workers.ts';
import { browser } from './platform/browser.ts';
import type { PhasorPool, PoolOptions, RemotePhasor, WorkerOptions } from './types/api.ts';

export * from './shared-exports.ts';

const importSameThread = () => import('./worker/same-thread.ts');

/**
 * Creates an engine in a dedicated worker, so that the page stays responsive. Call `dispose()` to terminate the worker; until then it keeps
 * a Node process alive.
 * @throws {PhasorError} rejects with the errors of `createPhasor`, and with `worker_unavailable` or `blocked_by_csp` if no worker can be
 * started and `fallback` is not set
 * @example
 * ```js
 * const { createPhasorWorker } = await import('phasor/worker');
 * const engine = await createPhasorWorker({ fallback: 'same-thread' });
 * (await engine.positionTable({ encoding: 'sinusoidal', length: 2, dim: 4 })).shape; // [2, 4]
 * engine.dispose();
 * ```
 */
export const createPhasorWorker: (options?: WorkerOptions) => Promise<RemotePhasor> = /* @__PURE__ */ workerCreator(
  browser,
  importSameThread,
);

/**
 * Creates an engine that splits each call to `attention` across several workers (default: one per core, at most 8). Call `dispose()` to
 * terminate them.
 * @throws {PhasorError} rejects with the errors of `createPhasorWorker`, and with `invalid_argument` if the number of workers is out of
 * range
 * @example
 * ```js
 * const { createPhasorPool } = await import('phasor/worker');
 * const pool = await createPhasorPool({ workers: 2 });
 * const x = await pool.randomNormal({ seed: 1, shape: [4, 16, 8] });
 * (await pool.attention({ q: x, k: x, v: x })).output.shape; // [4, 16, 8]
 * pool.dispose();
 * ```
 */
export const createPhasorPool: (options?: PoolOptions) => Promise<PhasorPool> = /* @__PURE__ */ poolCreator(browser, importSameThread);
