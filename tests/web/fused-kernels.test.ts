// The register blocks of the matrix product with fused multiply-add, and the build step that generates them (scripts/wasm/fused-kernels.mjs).
import binaryen from 'binaryen';
import { describe, expect, it } from 'vitest';
import base64 from '#fused-kernels';
import { fusedKernels } from '../../scripts/wasm/fused-kernels.mjs';
import './relaxed-simd.ts';

const BLOCKS = ['set_1_row', 'set_2_rows', 'add_1_row', 'add_2_rows'] as const;
type Block = (a: number, aStride: number, panel: number, inner: number, scale: number, c: number, cStride: number) => void;

/** Instantiates the blocks; `floats` is their memory. */
function instance() {
  const memory = new WebAssembly.Memory({ initial: 256, maximum: 32768 });
  const module = new WebAssembly.Module(Buffer.from(base64, 'base64'));
  expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
  expect(WebAssembly.Module.exports(module).map(({ name }) => name)).toEqual(BLOCKS);
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return { blocks: exports as unknown as Record<(typeof BLOCKS)[number], Block>, floats: new Float32Array(memory.buffer) };
}

describe('fused kernel', () => {
  it.each(BLOCKS)('%s computes the product within rounding', (name) => {
    const { blocks, floats } = instance();
    const [rows, adds] = [name.includes('2') ? 2 : 1, name.startsWith('add')];
    const [inner, aStride, cStride, scale] = [37, 41, 19, adds ? 1 : 0.3];
    const [a, panel, c] = [1024, 4096, 8192]; // offsets in floats
    for (let index = 0; index < 16384; index += 1) floats[index] = Math.sin(index * index);
    const initial = floats.slice();
    blocks[name](4 * a, aStride, 4 * panel, inner, scale, 4 * c, cStride);
    for (let index = 0; index < floats.length; index += 1) {
      const [row, column] = [Math.floor((index - c) / cStride), (index - c) % cStride];
      if (index < c || row >= rows || column >= 16) {
        if (floats[index] !== initial[index]) expect.fail(`float ${index} was written`);
        continue;
      }
      let sum = adds ? (initial[index] as number) : 0;
      for (let i = 0; i < inner; i += 1)
        sum += scale * (initial[a + row * aStride + i] as number) * (initial[panel + 16 * i + column] as number);
      expect(floats[index]).toBeCloseTo(sum, 4);
    }
  });
});

describe('fusedKernels', () => {
  /** Returns a module that exports functions of these names with the given body. */
  const moduleOf = (names: readonly string[], bodyOf: (module: InstanceType<typeof binaryen.Module>) => number) => {
    const module = new binaryen.Module();
    module.setFeatures(binaryen.Features.SIMD128);
    for (const name of names) {
      module.addFunction(name, binaryen.none, binaryen.none, [binaryen.v128], bodyOf(module));
      module.addFunctionExport(name, name);
    }
    return module.emitBinary();
  };
  const zero = (module: InstanceType<typeof binaryen.Module>) => module.local.get(0, binaryen.v128);

  it('throws if a block is missing or has nothing to fuse', () => {
    expect(() => fusedKernels(moduleOf(['set_1_row'], (module) => module.nop()))).toThrow(
      /^fused-kernels\.wasm: set_1_row has no sum of a product; expected one for each register$/,
    );
    const sum = (module: InstanceType<typeof binaryen.Module>) =>
      module.local.set(0, module.f32x4.add(module.f32x4.mul(zero(module), zero(module)), zero(module)));
    expect(() => fusedKernels(moduleOf(BLOCKS.slice(0, 3), sum))).toThrow(
      /^fused-kernels\.wasm: add_2_rows is not exported; expected set_1_row, /,
    );
    expect(WebAssembly.validate(Uint8Array.from(fusedKernels(moduleOf(BLOCKS, sum))))).toBe(true);
  });

  it('fuses a product only into the local that it is assigned to', () => {
    const other = (module: InstanceType<typeof binaryen.Module>) =>
      module.local.set(0, module.f32x4.add(module.f32x4.splat(module.f32.const(1)), module.f32x4.mul(zero(module), zero(module))));
    expect(() => fusedKernels(moduleOf(BLOCKS, other))).toThrow(/has no sum of a product/);
  });
});
