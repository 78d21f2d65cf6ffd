/**
 * Names of the WebAssembly files, without the extension. phasor-nn also trains models; phasor-model runs published models. Each file has
 * its own JavaScript glue code.
 */
export type Program = 'phasor' | 'phasor-nn' | 'phasor-model';

export interface WorkerPort {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
  onError(listener: (error: Error) => void): void;
  terminate(): void;
}

export type PackageFile = URL | Uint8Array<ArrayBuffer>;

/** The operations that differ between browsers and Node. */
export interface Platform {
  readonly program: Program;
  /** Returns the candidate locations of the WebAssembly file, the most likely one first. */
  readonly packageFiles: () => readonly PackageFile[];
  /** Advice in the error message if the file is not found. By default, it suggests the option `wasm` or importing phasor/inline. */
  readonly advice?: string;
  /** Resolves the option `wasm` or `worker` to a URL. Throws if the string is invalid. */
  resolveUrl(text: string): URL;
  /** Loads and compiles a file. `timeout` is in milliseconds, and limits the wait for the server's response. */
  compile(url: URL, timeout: number): Promise<WebAssembly.Module>;
  countCores(): number;
  /**
   * Starts a worker thread. `worker` is the source text of a classic script, the URL of a script, or a function that starts the worker.
   * Throws a PhasorError if the environment forbids threads.
   */
  start(worker: string | URL | (() => object)): WorkerPort;
}
