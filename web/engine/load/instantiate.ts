// Creates instances of the compiled WebAssembly.

import fusedKernels from '#fused-kernels';
import type { CreateModule, RawModule } from '#glue';
import { argumentError, PhasorError } from '../errors.ts';
import type { CompiledModule } from './compile.ts';

/** The functions of the fused kernels, in the order of `RegisterBlocks` (cpp/src/kernels/register_blocks.h). */
const KERNEL_NAMES = ['set_1_row', 'set_2_rows', 'add_1_row', 'add_2_rows'];

/**
 * Replaces an instance's matrix loops with fused loops that share its memory. They are compiled synchronously, which all browsers allow for a
 * module of about 1 kB.
 */
function installFusedKernels(raw: RawModule, { exports }: WebAssembly.Instance): void {
  const exportedValues = Object.values(exports);
  const memory = exportedValues.find((value) => value instanceof WebAssembly.Memory);
  const table = exportedValues.find((value) => value instanceof WebAssembly.Table);
  if (!(memory && table)) throw new Error('the WebAssembly module does not export both a memory and a table');
  const bytes = Uint8Array.from(atob(fusedKernels), (letter) => letter.charCodeAt(0));
  const fusedInstance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  const firstIndex = table.grow(KERNEL_NAMES.length);
  for (const [at, name] of KERNEL_NAMES.entries()) table.set(firstIndex + at, fusedInstance.exports[name]);
  raw.useRegisterBlocks(firstIndex);
}

/**
 * Creates an instance with its own memory.
 * @param createModule the program's glue code
 * @throws {PhasorError} rejects with `resource_exhausted` if memory is exhausted, and with `not_wasm` if the module is not that of
 * `program`
 */
export async function instantiate({ module, program, isFused }: CompiledModule, createModule: CreateModule): Promise<RawModule> {
  try {
    let instance: WebAssembly.Instance | undefined;
    const raw = await new Promise<RawModule>((resolve, reject) => {
      createModule({
        locateFile: (path) => path,
        printErr: () => {}, // out of memory is reported as an error
        instantiateWasm(imports, onInstance) {
          WebAssembly.instantiate(module, imports)
            .then((created) => {
              instance = created;
              onInstance(created);
            })
            .catch(reject);
          return {};
        },
      }).then(resolve, reject);
    });
    const actualProgram = raw.describe().program;
    if (actualProgram !== program) throw new Error(`this file is ${actualProgram}.wasm`);
    if (isFused && instance) installFusedKernels(raw, instance);
    return raw;
  } catch (thrown) {
    const { message } = PhasorError.from(thrown);
    if (thrown instanceof RangeError)
      throw argumentError('wasm', `out of memory while creating an instance (${message})`, { code: 'resource_exhausted' });
    throw argumentError('wasm', `is not the ${program}.wasm of this package (${message})`, { code: 'not_wasm' });
  }
}
