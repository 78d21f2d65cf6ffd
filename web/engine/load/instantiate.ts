// Instances of the compiled WebAssembly.
import createModule, { type RawModule } from '#glue';
import { PhasorError } from '../errors/errors.ts';
import { refusal } from '../errors/refusal.ts';

// The engine reports running out of memory itself; Emscripten would also print it.
const quiet = { locateFile: (path: string) => path, printErr: () => {} };

/** What is done with an instance before anything runs in it. */
export type Prepare = (instance: WebAssembly.Instance) => void;

/** A new instance with its own memory, synchronously: used to replace an instance during a call. */
export function instantiateNow(module: WebAssembly.Module, prepare: Prepare): RawModule {
  let failure: unknown;
  const raw = {
    ...quiet,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object {
      try {
        const instance = new WebAssembly.Instance(module, imports);
        prepare(instance);
        done(instance);
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
export async function instantiate(module: WebAssembly.Module, prepare: Prepare = () => {}): Promise<RawModule> {
  try {
    const raw = await new Promise<RawModule>((resolve, reject) => {
      const ready = createModule({
        ...quiet,
        instantiateWasm(imports, done) {
          WebAssembly.instantiate(module, imports)
            .then((instance) => {
              prepare(instance);
              done(instance);
            })
            .catch(reject);
          return {};
        },
      });
      ready.then(resolve, reject);
    });
    raw.describe();
    return raw;
  } catch (thrown) {
    const { message } = PhasorError.from(thrown);
    if (thrown instanceof RangeError) throw refusal('wasm', `out of memory for an instance (${message})`, { code: 'resource_exhausted' });
    throw refusal('wasm', `it is not a WebAssembly file of this package (${message})`, { code: 'not_wasm' });
  }
}
