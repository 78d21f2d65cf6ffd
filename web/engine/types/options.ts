// Options for creating an engine, and for calls to a worker.

import type { Variant } from './api.ts';

/** The global type `Name` if the program's TypeScript declares it, so that neither the DOM library nor @types/node is required. */
type GlobalType<Name extends string, Otherwise> = typeof globalThis extends { [K in Name]: { prototype: infer T } } ? T : Otherwise;

/** The required members of a URL, for programs without that type. */
export interface UrlLike {
  /** The complete URL. */
  readonly href: string;
}

/** The required members of an AbortSignal, for programs without that type. */
export interface AbortSignalLike {
  /** Whether the signal was aborted. */
  readonly aborted: boolean;
}

/** A URL: text (in Node, also a path relative to the working directory), or an object with `href`. */
export type UrlInput = string | GlobalType<'URL', UrlLike>;

/** A WebAssembly file: its URL, its bytes, or the `WebAssembly.Module` compiled from it. */
export type WasmSource = UrlInput | ArrayBuffer | ArrayBufferView | object;

/** Options for starting an engine. */
export interface PhasorOptions {
  /** The WebAssembly file of this package: phasor.wasm, phasor-nn.wasm for `phasor/train`, or phasor-model.wasm for `phasor/model`. Default: the one in the package. */
  readonly wasm?: WasmSource | undefined;
  /**
   * 'auto' (default) is 'relaxed' if the JavaScript engine supports it, otherwise 'simd'. Results of 'relaxed' may differ between machines
   * in the last bits; results of 'simd' are the same everywhere.
   */
  readonly variant?: 'auto' | Variant | undefined;
  /**
   * Timeout in milliseconds, for each of three waits: the response of a server, the download of the file, the start of a worker. Default:
   * 30 000.
   */
  readonly timeout?: number | undefined;
}

/** The common interface of browser workers and workers of node:worker_threads. */
export interface WorkerLike {
  /** Sends a request to the worker. */
  readonly postMessage: (message: unknown) => void;
  /** Ends the worker. */
  readonly terminate: () => unknown;
}

/** Options for starting an engine in a worker. */
export interface WorkerOptions extends PhasorOptions {
  /**
   * The worker: the URL of `phasor/worker.js` (for `openModelWorker`, of `phasor/model-worker.js`), or a function that starts a worker with
   * this script. Default: a blob, which needs no file, but requires a Content-Security-Policy that allows `worker-src blob:`.
   */
  readonly worker?: UrlInput | (() => WorkerLike) | undefined;
  /** The fallback if no worker can be started. Default: an error with the code 'worker_unavailable', 'blocked_by_csp' or 'timeout'. */
  readonly fallback?: 'same-thread' | undefined;
}

/** Options for starting an engine in several workers. */
export interface PoolOptions extends WorkerOptions {
  /** Maximum number of workers; default: the number of cores, at most 8. */
  readonly workers?: number | undefined;
}

/** Options for a call to a worker: the last argument of every method. */
export interface CallOptions {
  /** An abort signal. Aborting rejects the call with the code 'cancelled' and terminates its workers at once; later calls start new workers. */
  readonly signal?: GlobalType<'AbortSignal', AbortSignalLike> | undefined;
}
