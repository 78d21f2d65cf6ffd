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
  read(url: URL): Promise<ArrayBuffer>;
  /** How many threads the machine runs at once. */
  cores(): number;
  /** Runs a classic script in a thread of its own. */
  start(source: string): Thread;
}

/** The files stand beside this module; bundlers recognise this way of writing it and take them along. */
export function packagedFile(variant: Variant): URL {
  return variant === 'simd' ? new URL('./phasor-simd.wasm', import.meta.url) : new URL('./phasor-scalar.wasm', import.meta.url);
}
