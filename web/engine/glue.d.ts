// Types of what Emscripten generates: version 3.1.6 writes none. tests/web/glue.test.ts holds them against the real exports.

declare module '#glue' {
  interface RawError {
    readonly error: { readonly code: 'invalid_argument' | 'unknown_name' | 'resource_exhausted'; readonly message: string };
  }
  type Call = (...requests: unknown[]) => object | RawError;

  /** The exports of cpp/wasm. */
  export interface RawModule {
    version(): string;
    encodings(): readonly import('./types.ts').EncodingInfo[];
    table: Call;
    angles: Call;
    bias: Call;
    rotate: Call;
    rotationMatrix: Call;
    ropeFrequencies: Call;
    ropeModel: Call;
    combine: Call;
    positionIds: Call;
    attention: Call;
    attentionGradient: Call;
    layer: Call;
    layerGradient: Call;
    openCache: Call;
    decode: Call;
    closeCache: Call;
    similarity: Call;
    distanceProfile: Call;
    tableFacts: Call;
    spectrum: Call;
    principalComponents: Call;
    decodability: Call;
    shiftMatrix: Call;
    shiftResidual: Call;
    rotationResidual: Call;
    permutationError: Call;
    gaussian: Call;
  }

  interface ModuleOptions {
    locateFile(path: string): string;
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
  }

  export default function createModule(options: ModuleOptions): Promise<RawModule>;
}

declare module '#worker-source' {
  /** web/engine/worker.ts with everything it needs, as one classic script. */
  const source: string;
  export default source;
}
