/** The WebAssembly files by their names without extension; phasor-nn also trains, phasor-model runs models. Each has its own glue. */
export type Program = 'phasor' | 'phasor-nn' | 'phasor-model';

/** A web worker or a Node worker thread. */
export interface WorkerPort {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
  onError(listener: (error: Error) => void): void;
  terminate(): void;
}

/** The URL of a file, or its contents. */
export type OwnFile = URL | Uint8Array<ArrayBuffer>;

/** The differences between browsers and Node. */
export interface Platform {
  /** The WebAssembly file of an engine. */
  readonly program: Program;
  /** Candidate locations of that file of this package, most likely first. */
  readonly ownFiles: () => readonly OwnFile[];
  /** The advice if it is not found; default: to pass the option, or to import phasor/inline. */
  readonly advice?: string;
  /** Resolves a string that the caller passed as `wasm` or `worker`. Throws if it is invalid. */
  addressOf(text: string): URL;
  /** Loads and compiles a file, with a timeout in milliseconds for the response. */
  compile(url: URL, timeout: number): Promise<WebAssembly.Module>;
  /** Number of logical processors. */
  cores(): number;
  /** Runs a classic script, a file, or a worker of the caller in a new thread. Throws a PhasorError if that is blocked. */
  start(worker: string | URL | (() => object)): WorkerPort;
}
