// Options for creating an engine, and for calls to a worker.

import type { Variant } from './api.ts';

/** The global type `Name` if it is declared, and `Otherwise` if not, so that programs need neither the DOM library nor @types/node. */
type GlobalType<Name extends string, Otherwise> = typeof globalThis extends { [K in Name]: { prototype: infer T } } ? T : Otherwise;

/** The members of `URL` that Phasor uses, for programs that do not declare this type. */
export interface UrlLike {
  /** The complete URL. */
  readonly href: string;
}

/** The members of `AbortSignal` that Phasor uses, for programs that do not declare this type. */
export interface AbortSignalLike {
  /** Whether the signal was aborted. */
  readonly aborted: boolean;
}

/** A URL, as a string or as an object with `href`. In Node, a string may also be a path relative to the working directory. */
export type UrlInput = string | GlobalType<'URL', UrlLike>;

/** A WebAssembly file: its URL, its bytes, or the `WebAssembly.Module` compiled from it. */
export type WasmSource = UrlInput | ArrayBuffer | ArrayBufferView | object;

/** Options for starting an engine. */
export interface PhasorOptions {
  /**
   * The WebAssembly file to load: phasor.wasm, phasor-nn.wasm for `phasor/train`, or phasor-model.wasm for `phasor/model`. Default: the
   * file in this package.
   */
  readonly wasm?: WasmSource | undefined;
  /**
   * 'auto' (default) selects 'relaxed' if the JavaScript engine supports it, and 'simd' otherwise. Results of 'relaxed' may differ from
   * those of 'simd', and between machines, in the last bits. Results of 'simd' are the same everywhere.
   */
  readonly variant?: 'auto' | Variant | undefined;
  /**
   * Timeout in milliseconds, which applies separately to the server's response, the download of the file and the start of a worker.
   * Default: 30,000.
   */
  readonly timeout?: number | undefined;
}

/** The members common to browser workers and node:worker_threads workers. */
export interface WorkerLike {
  /** Sends a request to the worker. */
  readonly postMessage: (message: unknown) => void;
  /** Ends the worker. */
  readonly terminate: () => unknown;
}

/** Options for starting an engine in a worker. */
export interface WorkerOptions extends PhasorOptions {
  /**
   * The worker script: the URL of `phasor/worker.js` (of `phasor/model-worker.js` for `openModelWorker`), or a function that starts a
   * worker with this script. By default, the worker is started from a blob, which needs no separate file but requires a
   * Content-Security-Policy with `worker-src blob:`.
   */
  readonly worker?: UrlInput | (() => WorkerLike) | undefined;
  /**
   * If no worker can be started, 'same-thread' runs the engine on the calling thread. By default, the call is rejected with the code
   * 'worker_unavailable', 'blocked_by_csp' or 'timeout'.
   */
  readonly fallback?: 'same-thread' | undefined;
}

/** Options for starting an engine in several workers. */
export interface PoolOptions extends WorkerOptions {
  /** Maximum number of workers; default: the number of CPU cores, but at most 8. */
  readonly workers?: number | undefined;
}

/** Options for a call to a worker, passed as the last argument of every method. */
export interface CallOptions {
  /**
   * Aborting this signal rejects the call with the code 'cancelled' and immediately terminates the workers that run it. Later calls start
   * new workers.
   */
  readonly signal?: GlobalType<'AbortSignal', AbortSignalLike> | undefined;
}
