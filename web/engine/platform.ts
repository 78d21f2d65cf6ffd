import { PhasorError } from './errors.ts';
import type { Variant } from './types.ts';

/** A web worker or a Node worker thread. */
export interface Thread {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
  onError(listener: (error: Error) => void): void;
  terminate(): void;
}

/** The differences between browsers and Node. */
export interface Platform {
  /** The URL of a WebAssembly file of this package. */
  fileOf(variant: Variant): URL;
  /** Resolves a string that the caller passed as `wasm`. Throws when it is invalid. */
  addressOf(text: string): URL;
  compile(url: URL): Promise<WebAssembly.Module>;
  /** Number of logical processors. */
  cores(): number;
  /** Runs a classic script in a new thread. */
  start(source: string): Thread;
}

/** The files are next to this module; bundlers recognise this form of URL and include them. */
export function packagedFile(variant: Variant): URL {
  return variant === 'simd' ? new URL('./phasor-simd.wasm', import.meta.url) : new URL('./phasor-scalar.wasm', import.meta.url);
}

const MAX_SHOWN = 200; // a data: URL may be long

export const notLoaded = (url: URL, cause: unknown) => {
  const { message } = PhasorError.from(cause);
  return new PhasorError('unsupported', `wasm: ${url.href.slice(0, MAX_SHOWN)} could not be loaded (${message})`);
};

/**
 * Fetches and compiles a file, streaming when the engine supports it and the content type is right: browsers cache compiled code only for
 * streaming compilation.
 */
export async function compileFrom(url: URL): Promise<WebAssembly.Module> {
  const onNetworkError = (thrown: unknown): never => {
    throw notLoaded(url, thrown);
  };
  const response = await fetch(url).catch(onNetworkError);
  if (!response.ok) throw notLoaded(url, `status ${response.status}`);
  const isNamed = response.headers.get('content-type')?.trim().toLowerCase() === 'application/wasm';
  if (isNamed && WebAssembly.compileStreaming) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer().catch(onNetworkError));
}
