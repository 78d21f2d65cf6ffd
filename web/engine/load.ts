import createModule, { type RawModule } from '#glue';
import { chooseVariant } from './detect.ts';
import { PhasorError } from './errors.ts';
import { printed, tagOf } from './plain.ts';
import type { Platform } from './platform.ts';
import type { PhasorOptions, Variant } from './types.ts';

/** A compiled WebAssembly module and the variant the caller requires. Can be posted to a worker. */
export interface Compiled {
  readonly module: WebAssembly.Module;
  /** Undefined when either variant is acceptable. */
  readonly required: Variant | undefined;
}

function addressOf(text: string, platform: Platform): URL {
  try {
    return platform.addressOf(text);
  } catch {
    throw new PhasorError('invalid_argument', `wasm: ${printed(text)} is not an address`);
  }
}

/** Locates, loads and compiles the WebAssembly file that the options select. */
export async function compile({ wasm, variant }: PhasorOptions, platform: Platform): Promise<Compiled> {
  const chosen = chooseVariant(variant);
  const required = variant === 'auto' ? undefined : variant;
  const given = wasm ?? platform.fileOf(chosen);
  // As an object: TypeScript's type of a module has no members, so narrowing the union would drop the other types.
  const source: object = typeof given === 'string' ? addressOf(given, platform) : given;
  const tag = tagOf(source);
  if (tag === '[object WebAssembly.Module]') return { module: source as WebAssembly.Module, required };
  if (tag !== '[object URL]' && tag !== '[object ArrayBuffer]' && !ArrayBuffer.isView(source)) {
    throw new PhasorError('invalid_argument', `wasm: ${printed(source)} is not an address, bytes or a WebAssembly.Module`);
  }
  try {
    const module = await (tag === '[object URL]' ? platform.compile(source as URL) : WebAssembly.compile(source as BufferSource));
    return { module, required };
  } catch (error) {
    if (error instanceof PhasorError) throw error;
    throw new PhasorError('unsupported', `wasm: it could not be compiled (${PhasorError.from(error).message})`);
  }
}

// The engine reports running out of memory itself; Emscripten would also print it.
const quiet = { locateFile: (path: string) => path, printErr: () => {} };

/** A new instance with its own memory, synchronously: used to replace an instance during a call. */
export function instantiateNow(module: WebAssembly.Module): RawModule {
  let failure: unknown;
  const raw = {
    ...quiet,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object {
      try {
        done(new WebAssembly.Instance(module, imports));
      } catch (thrown) {
        failure = thrown;
      }
      return {};
    },
  };
  // Emscripten adds its exports to the options object, and has done so when the call returns.
  createModule(raw);
  if (failure) throw failure;
  return raw as unknown as RawModule;
}

/** The same asynchronously: some browsers limit synchronous instantiation on the main thread. */
export async function instantiate(module: WebAssembly.Module): Promise<RawModule> {
  try {
    const raw = await new Promise<RawModule>((resolve, reject) => {
      const ready = createModule({
        ...quiet,
        instantiateWasm(imports, done) {
          WebAssembly.instantiate(module, imports).then(done).catch(reject);
          return {};
        },
      });
      ready.then(resolve, reject);
    });
    raw.describe();
    return raw;
  } catch (thrown) {
    const { message } = PhasorError.from(thrown);
    if (thrown instanceof RangeError) throw new PhasorError('resource_exhausted', `wasm: out of memory for an instance (${message})`);
    throw new PhasorError('invalid_argument', `wasm: it is not a WebAssembly file of this package (${message})`);
  }
}
