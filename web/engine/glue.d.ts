// Types of the glue that Emscripten generates; version 3.1.6 writes none. tests/web/glue.test.ts compares them with the real exports.

declare module '#glue' {
  export interface RawError {
    readonly error: import('./errors/errors.ts').ErrorAbout & {
      readonly code: 'invalid_argument' | 'unknown_name' | 'resource_exhausted';
      readonly message: string;
    };
  }

  export interface RawInfo {
    readonly version: string;
    readonly variant: import('./types/api.ts').Variant;
    readonly encodings: readonly import('./types/api.ts').EncodingInfo[];
  }

  /** The functions of cpp/wasm/boundary.js. */
  export interface RawModule {
    describe(): RawInfo;
    /** Takes a request as serialized by flat-request.ts. */
    call(
      name: string,
      fields: string,
      numbers: readonly number[],
      arrays: readonly import('./request/strided.ts').SourceArray[],
      /** The caller's arrays for the results. */
      own?: import('./request/out-arrays.ts').OutArrays,
    ): object | RawError;
  }

  interface ModuleOptions {
    locateFile(path: string): string;
    printErr(message: string): void;
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
  }

  export default function createModule(options: ModuleOptions): Promise<RawModule>;
}

declare module '#worker-source' {
  /** web/engine/worker.ts bundled with its dependencies as one classic script. */
  const source: string;
  export default source;
}

declare module '#inline-wasm' {
  /** The WebAssembly file in base64 of its gzip. */
  const packed: string;
  export default packed;
}
