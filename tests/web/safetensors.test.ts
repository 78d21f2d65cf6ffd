// The reader of safetensors on small files, of which only one is valid, and for each data type.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SafeTensors } from '../../web/figure/files/safetensors.ts';

interface Negative {
  readonly schema: string;
  readonly files: readonly {
    readonly file: string;
    readonly valid: boolean;
    readonly official_error: string | null;
    readonly why: string;
  }[];
}
const folder = 'tests/golden-models/negative';
const negative: Negative = JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8'));

// What is said here for each error of the official reader. Where that one tells a wrong offset from wrong sizes, so does this.
const sentences: Readonly<Record<string, RegExp>> = {
  HeaderTooSmall: /^header: the file has \d+ bytes; its length alone takes 8$/,
  HeaderTooLarge: /^header: a length of 9223372036854775813 bytes is above 100000000$/,
  InvalidHeaderLength: /^header: it ends at byte \d+ of a file of \d+$/,
  InvalidHeaderDeserialization: /^header: it is not JSON/,
  InvalidOffset: /^b: bytes \d+ to \d+ do not follow on 48, where the tensor before it ends$/,
  TensorInvalidInfo: /^a: F32 numbers of the shape \[4,4\] do not fill 48 bytes$/,
  ValidationOverflow: /^a: the shape \[8589934592,8589934592\] has too many numbers$/,
  MetadataIncompleteBuffer: /^data: (54|68) bytes are there, but tensors fill 64$/,
};

describe('a file of safetensors', () => {
  it('is known', () => expect(negative.schema).toBe('phasor-model-negative-1'));

  it.each(negative.files.filter(({ valid }) => valid))('$file is read', ({ file }) => {
    const read = new SafeTensors(readFileSync(`${folder}/${file}`));
    expect(read.names).toEqual(['a', 'b']);
    expect(read.tensor('a')).toEqual({ shape: [3, 4], data: Float32Array.from({ length: 12 }, (_, i) => i) });
    expect(read.tensor('b')).toEqual({ shape: [8], data: Float32Array.from({ length: 8 }, (_, i) => i) });
    expect(() => read.tensor('c')).toThrow('c: the file has no such tensor');
  });

  it.each(negative.files.filter(({ valid }) => !valid))('$file is refused: $why', ({ file, official_error }) => {
    expect(() => new SafeTensors(readFileSync(`${folder}/${file}`))).toThrow(sentences[official_error ?? ''] ?? /never/);
  });
});

/** One tensor with these bytes. */
function file(dtype: string, shape: unknown, bytes: readonly number[], offsets: unknown = [0, bytes.length]): SafeTensors {
  const header = new TextEncoder().encode(JSON.stringify({ x: { dtype, shape, data_offsets: offsets } }));
  const all = new Uint8Array(8 + header.length + bytes.length);
  new DataView(all.buffer).setBigUint64(0, BigInt(header.length), true);
  all.set(header, 8);
  all.set(bytes, 8 + header.length);
  return new SafeTensors(all);
}
/** Numbers of two bytes, the lower one first. */
const words = (dtype: string, ...bits: number[]) => [
  ...file(
    dtype,
    [bits.length],
    bits.flatMap((word) => [word & 255, word >> 8]),
  ).tensor('x').data,
];

describe('numbers', () => {
  it('of half precision are widened exactly', () => {
    expect(words('F16', 0x0000, 0x8000, 0x0001, 0x03ff, 0x0400, 0x3555, 0xc000, 0x7bff)).toEqual([
      0,
      -0,
      2 ** -24,
      1023 * 2 ** -24,
      2 ** -14,
      1365 * 2 ** -12,
      -2,
      65504,
    ]);
    expect(words('F16', 0x7c00, 0xfc00, 0x7e00)).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]);
  });
  it('of bfloat16 are widened exactly', () => {
    expect(words('BF16', 0x3f80, 0xc049, 0x0001, 0x8000, 0x7f80)).toEqual([1, -3.140625, 2 ** -133, -0, Number.POSITIVE_INFINITY]);
  });
  it('of other types become the nearest float32', () => {
    const one = (dtype: string, bytes: readonly number[]) => [...file(dtype, [], bytes).tensor('x').data];
    expect(one('I64', [0xfe, 255, 255, 255, 255, 255, 255, 255])).toEqual([-2]);
    expect(one('F64', [0, 0, 0, 0, 0, 0, 0xf8, 0x3f])).toEqual([1.5]);
    expect(one('U8', [200])).toEqual([200]);
    expect(one('BOOL', [1])).toEqual([1]);
    expect(() => file('F8_E4M3', [1], [0])).toThrow('x: the type "F8_E4M3" is not known');
  });
  it('need sizes and offsets', () => {
    expect(() => file('F32', [-1], [])).toThrow('x: the shape [-1] is not a list of sizes');
    expect(() => file('F32', 4, [])).toThrow('x: the shape 4 is not a list of sizes');
    expect(() => file('F32', [0], [], [0])).toThrow('x: the offsets [0] are not two numbers of bytes');
    expect(file('F32', [2, 0], []).tensor('x')).toEqual({ shape: [2, 0], data: new Float32Array(0) });
  });
});
