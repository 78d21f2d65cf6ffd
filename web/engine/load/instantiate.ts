// Instances of the compiled WebAssembly.
import type { CreateModule, RawModule } from '#glue';
import { argumentError, PhasorError } from '../errors.ts';
import type { Compiled } from './compile.ts';
import { useFusedKernels } from './fused.ts';

/**
 * A new instance with its own memory.
 * @param createModule the glue of the program
 * @throws {PhasorError} as a rejection: `resource_exhausted` without memory, `not_wasm` for another file
 */
export async function instantiate({ module, program, isFused }: Compiled, createModule: CreateModule): Promise<RawModule> {
  try {
    let instance: WebAssembly.Instance | undefined;
    const raw = await new Promise<RawModule>((resolve, reject) => {
      createModule({
        locateFile: (path) => path,
        printErr: () => {}, // running out of memory is reported as an error
        instantiateWasm(imports, done) {
          WebAssembly.instantiate(module, imports)
            .then((created) => {
              instance = created;
              done(created);
            })
            .catch(reject);
          return {};
        },
      }).then(resolve, reject);
    });
    const found = raw.describe().program;
    if (found !== program) throw new Error(`it is ${found}.wasm`);
    if (isFused && instance) useFusedKernels(raw, instance);
    return raw;
  } catch (thrown) {
    const { message } = PhasorError.from(thrown);
    if (thrown instanceof RangeError)
      throw argumentError('wasm', `out of memory for an instance (${message})`, { code: 'resource_exhausted' });
    throw argumentError('wasm', `it is not the ${program}.wasm of this package (${message})`, { code: 'not_wasm' });
  }
}
