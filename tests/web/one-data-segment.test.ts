// The build step that joins the data segments of a WebAssembly file (scripts/wasm/one-data-segment.mjs).
import { readFile } from 'node:fs/promises';
import binaryen from 'binaryen';
import { expect, it } from 'vitest';
import { dataSegments, withOneDataSegment } from '../../scripts/wasm/one-data-segment.mjs';

const compileWat = (text: string): Uint8Array => {
  const module = binaryen.parseText(text);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
};
const segmentsOf = (bytes: Uint8Array): number => {
  const module = binaryen.readBinary(bytes);
  const count = dataSegments(module).length;
  module.dispose();
  return count;
};
const memoryOf = (bytes: Uint8Array): Uint8Array => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>));
  return new Uint8Array((exports.memory as WebAssembly.Memory).buffer);
};
const MEMORY = '(memory (export "memory") 1 3)';

it('joins data segments without changing the contents or the limits of the memory', () => {
  const original = compileWat(`(module ${MEMORY} (data (i32.const 70) "cd") (data (i32.const 8) "ab\\00\\01") (data (i32.const 40) "e"))`);
  const merged = withOneDataSegment(original);
  expect([segmentsOf(original), segmentsOf(merged)]).toEqual([3, 1]);
  expect(memoryOf(merged)).toEqual(memoryOf(original));
  expect(memoryOf(merged)[70]).toBe('c'.charCodeAt(0));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(merged as Uint8Array<ArrayBuffer>));
  const memory = exports.memory as WebAssembly.Memory;
  expect(memory.grow(2)).toBe(1);
  expect(() => memory.grow(1)).toThrow();
});

it('rejects passive data segments, whose address is not known', () => {
  const passive = compileWat(`(module ${MEMORY} (data (i32.const 8) "a") (data "b"))`);
  expect(() => withOneDataSegment(passive)).toThrow('data: a segment is passive; expected segments with addresses');
});

it.each(['phasor', 'phasor-nn'])('leaves one data segment in %s.wasm', async (program) => {
  expect(segmentsOf(await readFile(`build/wasm/${program}.wasm`))).toBe(1);
});
