/**
 * Names of the WebAssembly files without their extension. phasor-nn can also train, and phasor-model runs published models. Each file has
 * its own JavaScript glue.
 */
export type Program = 'phasor' | 'phasor-nn' | 'phasor-model';

export interface WorkerPort {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
  onError(listener: (error: Error) => void): void;
  terminate(): void;
}

export type PackageFile = URL | Uint8Array<ArrayBuffer>;

/** Everything an engine does differently in browsers and in Node. */
export interface Platform {
  readonly program: Program;
  /** Places where the WebAssembly file of this package may be, the most likely one first. */
  readonly packageFiles: () => readonly PackageFile[];
  /** Advice for the error when the file is not found. By default, the error suggests the option `wasm` or an import of phasor/inline. */
  readonly advice?: string;
  /** Resolves the option `wasm` or `worker` to a URL. Throws if the string is invalid. */
  resolveUrl(text: string): URL;
  /** Loads and compiles a file. `timeout` is in milliseconds, and limits the wait for the server's response. */
  compile(url: URL, timeout: number): Promise<WebAssembly.Module>;
  countCores(): number;
  /**
   * Starts a worker thread. `worker` is the text of a classic script, the URL of a script, or a function that starts the worker. Throws a
   * PhasorError if the environment forbids threads.
   */
  start(worker: string | URL | (() => object)): WorkerPort;
}
