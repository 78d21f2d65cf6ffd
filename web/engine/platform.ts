import { PhasorError } from './errors.ts';
import type { Variant } from './types.ts';

/** A thread that takes and gives messages, whatever the machine calls it. */
export interface Thread {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
  onError(listener: (error: Error) => void): void;
  terminate(): void;
}

/** What differs between a browser and Node. */
export interface Platform {
  /** Where the WebAssembly files of this package are. */
  fileOf(variant: Variant): URL;
  /** What a caller's text means. Throws anything where it means nothing. */
  addressOf(text: string): URL;
  compile(url: URL): Promise<WebAssembly.Module>;
  /** How many threads the machine runs at once. */
  cores(): number;
  /** Runs a classic script in a thread of its own. */
  start(source: string): Thread;
}

/** The files stand beside this module; bundlers recognise this way of writing it and take them along. */
export function packagedFile(variant: Variant): URL {
  return variant === 'simd' ? new URL('./phasor-simd.wasm', import.meta.url) : new URL('./phasor-scalar.wasm', import.meta.url);
}

const MOST_SHOWN = 200; // an address may be the data themselves

export const notLoaded = (url: URL, why: unknown) => {
  const { message } = PhasorError.from(why);
  return new PhasorError('unsupported', `wasm: ${url.href.slice(0, MOST_SHOWN)} could not be loaded (${message})`);
};

/**
 * Compiles a file of a server while it arrives, where the engine can and the server says that it is WebAssembly: only what came like this
 * do browsers keep compiled for the next visit.
 */
export async function compileFrom(url: URL): Promise<WebAssembly.Module> {
  const whenLost = (thrown: unknown): never => {
    throw notLoaded(url, thrown);
  };
  const response = await fetch(url).catch(whenLost);
  if (!response.ok) throw notLoaded(url, `status ${response.status}`);
  const isNamed = response.headers.get('content-type')?.trim().toLowerCase() === 'application/wasm';
  if (isNamed && WebAssembly.compileStreaming) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer().catch(whenLost));
}
