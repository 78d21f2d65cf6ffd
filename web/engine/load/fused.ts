// Fused multiply-adds: the innermost loops of the matrix product, in a module of a kilobyte for engines with relaxed SIMD.
import fusedKernels from '#fused-kernels';
import type { RawModule } from '#glue';

/** The functions of the module, in the order of `RegisterBlocks` (cpp/src/kernels/register_blocks.h). */
const BLOCKS = ['set_1_row', 'set_2_rows', 'add_1_row', 'add_2_rows'];

/** Replaces the loops of an engine by the fused ones, which share its memory. All engines allow synchronous compilation of a kilobyte. */
export function useFusedKernels(raw: RawModule, { exports }: WebAssembly.Instance): void {
  const exported = Object.values(exports);
  const memory = exported.find((value) => value instanceof WebAssembly.Memory);
  const table = exported.find((value) => value instanceof WebAssembly.Table);
  if (!(memory && table)) throw new Error('the WebAssembly exports no memory or no table');
  const bytes = Uint8Array.from(atob(fusedKernels), (letter) => letter.charCodeAt(0));
  const fused = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  const first = table.grow(BLOCKS.length);
  for (const [at, name] of BLOCKS.entries()) table.set(first + at, fused.exports[name]);
  raw.useRegisterBlocks(first);
}
