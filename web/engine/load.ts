import createModule, { type RawModule } from '#glue';
import { chooseVariant } from './detect.ts';
import { PhasorError } from './errors.ts';
import type { Platform } from './platform.ts';
import type { PhasorOptions, Variant } from './types.ts';

/** A compiled WebAssembly file and which of the two it is. Can be posted to a worker. */
export interface Compiled {
  readonly module: WebAssembly.Module;
  readonly variant: Variant;
}

/** Finds, reads and compiles the WebAssembly that the options ask for. */
export async function compile(options: PhasorOptions, platform: Platform): Promise<Compiled> {
  const variant = chooseVariant(options.variant);
  const given = options.wasm ?? platform.fileOf(variant);
  // As an object: TypeScript's own type of a module has no members, so that it would swallow the others.
  const source: object = typeof given === 'string' ? new URL(given, globalThis.location?.href) : given;
  if (source instanceof WebAssembly.Module) return { module: source, variant };
  const bytes = source instanceof URL ? await platform.read(source) : (source as BufferSource);
  try {
    return { module: await WebAssembly.compile(bytes), variant };
  } catch (error) {
    throw new PhasorError('unsupported', `wasm: it could not be compiled (${PhasorError.from(error).message})`);
  }
}

/** An instance with a memory of its own, at once: where an engine starts afresh in the middle of its caller's work. */
export function instantiateNow(module: WebAssembly.Module): RawModule {
  let failure: unknown;
  const raw = {
    locateFile: (path: string) => path,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object {
      try {
        done(new WebAssembly.Instance(module, imports));
      } catch (thrown) {
        failure = thrown;
      }
      return {};
    },
  };
  // Emscripten hangs its exports onto the options, and all of it has happened when the call returns.
  createModule(raw);
  if (failure) throw failure;
  return raw as unknown as RawModule;
}

/** The same without holding up the thread: some browsers forbid more on the page's own. */
export async function instantiate(module: WebAssembly.Module): Promise<RawModule> {
  let fail: (reason: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const ready = createModule({
    locateFile: (path) => path,
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then(done, fail);
      return {};
    },
  });
  return Promise.race([ready, failed]);
}
