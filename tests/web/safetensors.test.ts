// The safetensors reader on small files, of which only one is valid, and for each data type.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
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

// The message for each error of the official reader, which also distinguishes wrong offsets from wrong sizes.
const sentences: Readonly<Record<string, RegExp>> = {
  HeaderTooSmall: /^header: the file has \d+ bytes; expected at least 8$/,
  HeaderTooLarge: /^header: length of 9223372036854775813 bytes exceeds 100000000$/,
  InvalidHeaderLength: /^header: ends at byte \d+; the file has \d+ bytes$/,
  InvalidHeaderDeserialization: /^header: is not JSON/,
  InvalidOffset: /^b: bytes \d+ to \d+ do not start at 48, where the previous tensor ends$/,
  TensorInvalidInfo: /^a: F32 elements of shape \[4,4\] do not fill 48 bytes$/,
  ValidationOverflow: /^a: the shape \[8589934592,8589934592\] has too many elements$/,
  MetadataIncompleteBuffer: /^data: (54|68) bytes are present, but the tensors fill 64$/,
};

describe('SafeTensors', () => {
  it('has test cases of a known schema', () => expect(negative.schema).toBe('phasor-model-negative-1'));

  it.each(negative.files.filter(({ valid }) => valid))('reads $file', ({ file }) => {
    const read = new SafeTensors(readFileSync(`${folder}/${file}`));
    expect(read.names).toEqual(['a', 'b']);
    expect(read.tensor('a')).toEqual({ shape: [3, 4], data: Float32Array.from({ length: 12 }, (_, i) => i) });
    expect(read.tensor('b')).toEqual({ shape: [8], data: Float32Array.from({ length: 8 }, (_, i) => i) });
    expect(() => read.tensor('c')).toThrow('c: not found in the file');
  });

  it.each(negative.files.filter(({ valid }) => !valid))('rejects $file: $why', ({ file, official_error }) => {
    expect(() => new SafeTensors(readFileSync(`${folder}/${file}`))).toThrow(sentences[official_error ?? ''] ?? /never/);
  });
});

/** A file of one tensor with these bytes. */
const file = (dtype: string, shape: unknown, bytes: readonly number[], offsets: unknown = [0, bytes.length]): SafeTensors =>
  readFile(JSON.stringify({ x: { dtype, shape, data_offsets: offsets } }), bytes);

function readFile(text: string, bytes: readonly number[]): SafeTensors {
  const header = new TextEncoder().encode(text);
  const fileBytes = new Uint8Array(8 + header.length + bytes.length);
  new DataView(fileBytes.buffer).setBigUint64(0, BigInt(header.length), true);
  fileBytes.set(header, 8);
  fileBytes.set(bytes, 8 + header.length);
  return new SafeTensors(fileBytes);
}
/** The values of a tensor of two-byte elements, which are little-endian. */
const words = (dtype: string, ...bits: number[]) => [
  ...file(
    dtype,
    [bits.length],
    bits.flatMap((word) => [word & 255, word >> 8]),
  ).tensor('x').data,
];

describe('SafeTensors.tensor', () => {
  it('widens float16 exactly', () => {
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
  it('widens bfloat16 exactly', () => {
    expect(words('BF16', 0x3f80, 0xc049, 0x0001, 0x8000, 0x7f80)).toEqual([1, -3.140625, 2 ** -133, -0, Number.POSITIVE_INFINITY]);
  });
  it('converts other types to the nearest float32', () => {
    const readValues = (dtype: string, bytes: readonly number[]) => [...file(dtype, [], bytes).tensor('x').data];
    expect(readValues('I64', [0xfe, 255, 255, 255, 255, 255, 255, 255])).toEqual([-2]);
    expect(readValues('F64', [0, 0, 0, 0, 0, 0, 0xf8, 0x3f])).toEqual([1.5]);
    expect(readValues('U8', [200])).toEqual([200]);
    expect(readValues('BOOL', [1])).toEqual([1]);
  });
  it('rejects an unsupported type only when its tensor is read', () => {
    const header = '{"x":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]},"y":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}}';
    const pairFile = readFile(header, [1, 2, 3, 200]);
    expect(pairFile.names).toEqual(['x', 'y']);
    expect([...pairFile.tensor('y').data]).toEqual([200]);
    expect(() => pairFile.tensor('x')).toThrow(/^x: type "F8_E4M3" is not supported; expected one of F64, F32, F16, BF16, .*BOOL$/);
    expect(() => readFile(header, [1, 2, 3])).toThrow('data: 3 bytes are present, but the tensors fill 4');
  });
  it('rounds 64-bit integers once, ties to even', () => {
    const view = new DataView(new ArrayBuffer(8));
    const read = (dtype: 'I64' | 'U64', value: bigint) => {
      view.setBigUint64(0, BigInt.asUintN(64, value), true);
      return file(dtype, [], [...new Uint8Array(view.buffer)]).tensor('x').data[0] as number;
    };
    const bits = new DataView(new ArrayBuffer(4));
    /** A float32 value and its two neighbours. */
    const neighbors = (value: number): number[] =>
      [-1, 0, 1].map((step) => {
        bits.setFloat32(0, value);
        bits.setUint32(0, bits.getUint32(0) + step);
        return bits.getFloat32(0);
      });
    const isEven = (value: number): boolean => {
      bits.setFloat32(0, value);
      return bits.getUint32(0) % 2 === 0;
    };
    const nearest = (value: bigint): number => {
      if (value === 0n) return 0;
      const distanceTo = (candidate: number): bigint => (BigInt(candidate) > value ? BigInt(candidate) - value : value - BigInt(candidate));
      const candidates = neighbors(Math.fround(Number(value))).filter((candidate) => Number.isInteger(candidate));
      const minimum = candidates.map(distanceTo).reduce((a, b) => (a < b ? a : b));
      const closest = candidates.filter((candidate) => distanceTo(candidate) === minimum);
      return closest.find((candidate) => closest.length === 1 || isEven(candidate)) as number;
    };
    // Values halfway between two float32 values, and one unit more and less, which a double cannot represent.
    for (const power of [25n, 40n, 52n, 53n, 54n, 60n, 62n])
      for (const oddFactor of [1n, 3n, 5n])
        for (const offset of [-1n, 0n, 1n])
          for (const sign of [1n, -1n]) {
            const value = sign * ((1n << power) + (oddFactor << (power - 24n)) + offset);
            expect([value, read('I64', value)]).toEqual([value, nearest(value)]);
            if (sign > 0n) expect([value, read('U64', 2n * value)]).toEqual([value, nearest(2n * value)]);
          }
    expect(read('I64', (1n << 60n) + (1n << 36n) + 1n)).toBe(2 ** 60 + 2 ** 37);
    expect([read('U64', 2n ** 64n - 1n), read('I64', -(2n ** 63n)), read('I64', 2n ** 63n - 1n)]).toEqual([2 ** 64, -(2 ** 63), 2 ** 63]);
    const around = fc.tuple(fc.bigInt({ min: 0n, max: 63n }), fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }));
    fc.assert(
      fc.property(around, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), ([power, offset], integer) => {
        for (const value of [integer, BigInt.asIntN(64, (1n << power) + offset), offset]) {
          expect(read('I64', value)).toBe(nearest(value));
          const positive = BigInt.asUintN(64, value);
          expect(read('U64', positive)).toBe(nearest(positive));
        }
      }),
      { numRuns: 500 },
    );
  });
  it('rejects invalid shapes and offsets', () => {
    expect(() => file('F32', [-1], [])).toThrow('x: the shape [-1] is not a list of sizes');
    expect(() => file('F32', 4, [])).toThrow('x: the shape 4 is not a list of sizes');
    expect(() => file('F32', [0], [], [0])).toThrow('x: the offsets [0] are not two byte offsets');
    expect(file('F32', [2, 0], []).tensor('x')).toEqual({ shape: [2, 0], data: new Float32Array(0) });
  });
});

describe('safetensors header', () => {
  const x = '"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}';
  it('may end in spaces and contain metadata', () => {
    expect(readFile(`{${x}}   `, [7]).tensor('x').data).toEqual(Float32Array.of(7));
    expect(readFile(`{"__metadata__":{"format":"pt"},${x}}`, [7]).names).toEqual(['x']);
  });
  it.each([
    [` {${x}}`, 'header: does not begin with {'],
    [`\ufeff{${x}}`, 'header: is not JSON'],
    [`[{${x}}]`, 'header: is not an object'],
    [`{"__metadata__":{"format":1},${x}}`, '__metadata__: is not an object of strings'],
    [`{"__metadata__":["pt"],${x}}`, '__metadata__: is not an object of strings'],
  ])('%s is rejected', (text, sentence) => expect(() => readFile(text, [7])).toThrow(sentence));
  it('is shortened in errors if it has long values', () => {
    const longName = 'F'.repeat(1000);
    const file = readFile(`{"x":{"dtype":"${longName}","shape":[1],"data_offsets":[0,1]}}`, [7]);
    expect(() => file.tensor('x')).toThrow(new RegExp(`^x: type "${'F'.repeat(59)}… is not supported`));
  });
});
