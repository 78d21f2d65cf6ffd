/** Names of the WebAssembly files, without extension: phasor-nn also trains, phasor-model runs models. Each file has separate JavaScript glue. */
export type Program = 'phasor' | 'phasor-nn' | 'phasor-model';

/** A web worker or a Node worker thread. */
export interface WorkerPort {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
  onError(listener: (error: Error) => void): void;
  terminate(): void;
}

/** The URL of a file, or its contents. */
export type PackageFile = URL | Uint8Array<ArrayBuffer>;

/** The parts of an engine that differ between browsers and Node. */
export interface Platform {
  readonly program: Program;
  /** Candidate locations of the WebAssembly file in this package, most likely first. */
  readonly packageFiles: () => readonly PackageFile[];
  /** Advice if the file is not found; default: to set the option `wasm`, or to import phasor/inline. */
  readonly advice?: string;
  /** Resolves the option `wasm` or `worker` to a URL. Throws if the string is invalid. */
  resolveUrl(text: string): URL;
  /** Loads and compiles a file, with a timeout in milliseconds for the response. */
  compile(url: URL, timeout: number): Promise<WebAssembly.Module>;
  countCores(): number;
  /** Starts a thread from the text of a classic script, a file, or a function of the caller. Throws a PhasorError if threads are blocked. */
  start(worker: string | URL | (() => object)): WorkerPort;
}
