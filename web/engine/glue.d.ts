// Types of the modules that scripts/wasm/wasm.mjs builds: the fused kernels, and the glue code of Emscripten 3.1.6, which generates no types.
// tests/web/glue.test.ts compares them with the actual exports.

declare module '#glue' {
  export interface RawError {
    readonly error: import('./errors.ts').ErrorDetails & {
      readonly code: 'invalid_argument' | 'unknown_name' | 'resource_exhausted';
      readonly message: string;
    };
  }

  export interface RawInfo {
    readonly version: string;
    readonly program: import('./platform/platform.ts').Program;
    readonly encodings: readonly import('./types/api.ts').EncodingInfo[];
  }

  /** The functions of cpp/wasm/boundary.js. */
  export interface RawModule {
    describe(): RawInfo;
    /** Calls a function with a request that flat-request.ts serialized. */
    call(
      name: string,
      fields: string,
      numbers: readonly number[],
      arrays: readonly import('./request/strided.ts').SourceArray[],
      /** Arrays of the caller, to which results are written. */
      own?: import('./request/out-arrays.ts').OutArrays,
    ): object | RawError;
    /** Makes the matrix product of this instance call four functions of the WebAssembly table, starting at index `first`. */
    useRegisterBlocks(first: number): void;
  }

  interface ModuleOptions {
    locateFile(path: string): string;
    printErr(message: string): void;
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
  }

  export type CreateModule = (options: ModuleOptions) => Promise<RawModule>;
  const createModule: CreateModule;
  export default createModule;
}

declare module '#glue-nn' {
  const createModule: import('#glue').CreateModule;
  export default createModule;
}

declare module '#glue-model' {
  const createModule: import('#glue').CreateModule;
  export default createModule;
}

declare module '#fused-kernels' {
  /** A WebAssembly module in base64. */
  const base64: string;
  export default base64;
}

declare module '#worker-source' {
  /** web/engine/worker.ts bundled with its dependencies as one classic script. */
  const source: string;
  export default source;
}

declare module '#doctor-worker-source' {
  /** web/engine/doctor-worker.ts bundled as one classic script. */
  const source: string;
  export default source;
}

declare module '#model-worker-source' {
  /** web/engine/model-worker.ts bundled as one classic script. */
  const source: string;
  export default source;
}

declare module '#tokenizer-worker-source' {
  /** web/tokenizer/tokenizer-worker.ts bundled as one classic script. */
  const source: string;
  export default source;
}

declare module '#inline-wasm' {
  /** phasor.wasm, compressed with gzip, in base64. */
  const packed: string;
  export default packed;
}
