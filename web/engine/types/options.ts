// Options of the functions that create an engine, and of calls to a worker.

import type { Variant } from './api.ts';

/** The global type of this name, where the program's TypeScript has it: neither the DOM library nor @types/node is needed. */
type GlobalType<Name extends string, Otherwise> = typeof globalThis extends { [K in Name]: { prototype: infer T } } ? T : Otherwise;

/** What is needed of a URL where the program's TypeScript has no such type. */
export interface UrlLike {
  /** The whole address. */
  readonly href: string;
}

/** What is needed of an AbortSignal where the program's TypeScript has no such type. */
export interface AbortSignalLike {
  /** Whether it is over. */
  readonly aborted: boolean;
}

/** A URL: text, in Node also a path relative to the working directory, or an object with `href`. */
export type UrlInput = string | GlobalType<'URL', UrlLike>;

/** A WebAssembly file: its address, its bytes, or the `WebAssembly.Module` compiled from it. */
export type WasmSource = UrlInput | ArrayBuffer | ArrayBufferView | object;

/** How an engine starts. */
export interface PhasorOptions {
  /** The WebAssembly file of this package: phasor.wasm, or phasor-nn.wasm for `phasor/train`. Default: where the package has it. */
  readonly wasm?: WasmSource | undefined;
  /**
   * 'auto' (default) is 'relaxed' where the JavaScript engine supports it, and else 'simd'. Results of 'relaxed' may differ between machines in the
   * last bits; 'simd' gives the same ones everywhere.
   */
  readonly variant?: 'auto' | Variant | undefined;
  /** How long an answer may take, in milliseconds: of a server, of its file, of a worker that starts. Default: 30 000. */
  readonly timeout?: number | undefined;
}

/** What a worker has in browsers, and in Node that of node:worker_threads. */
export interface WorkerLike {
  /** Sends it a request. */
  readonly postMessage: (message: unknown) => void;
  /** Ends it. */
  readonly terminate: () => unknown;
}

/** How an engine in a worker starts. */
export interface WorkerOptions extends PhasorOptions {
  /**
   * The worker: the address of `phasor/worker.js`, or a function that starts one with it. Default: a blob, which needs no file, but a page whose
   * Content-Security-Policy allows `worker-src blob:`.
   */
  readonly worker?: UrlInput | (() => WorkerLike) | undefined;
  /** What to do where a worker is refused. Default: an error with the code 'worker_unavailable', 'blocked_by_csp' or 'timeout'. */
  readonly fallback?: 'same-thread' | undefined;
}

/** How an engine in several workers starts. */
export interface PoolOptions extends WorkerOptions {
  /** How many workers, at most; default: the number of cores, at most 8. */
  readonly workers?: number | undefined;
}

/** Options of a call to a worker: the last argument of every method. */
export interface CallOptions {
  /** Aborting rejects the call with the code 'cancelled' and terminates its workers at once; later calls start new ones. */
  readonly signal?: GlobalType<'AbortSignal', AbortSignalLike> | undefined;
}
