// The safetensors format: the length of the header (u64, little-endian), a JSON header, and the numbers of all tensors without gaps.
// What a file says is checked before it is believed, in the order of the official reader (huggingface/safetensors, tensor.rs).

import type { Tensor } from '../../../web/engine/types.ts';

/** Bytes of a number. Only the first three are read; buffers of the others may be in a file, as old checkpoints have them. */
const sizes: Readonly<Record<string, number>> = { F32: 4, F16: 2, BF16: 2, F64: 8, I64: 8, I32: 4, I16: 2, I8: 1, U8: 1, BOOL: 1 };
const longestHeader = 100_000_000n;

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

export class SafeTensors {
  private readonly entries = new Map<string, Entry>();
  private readonly data: DataView;

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 8) throw new Error(`header: the file has ${bytes.length} bytes; its length alone takes 8`);
    const length = view.getBigUint64(0, true);
    if (length > longestHeader) throw new Error(`header: a length of ${length} bytes is above ${longestHeader}`);
    const start = 8 + Number(length);
    if (start > bytes.length) throw new Error(`header: it ends at byte ${start} of a file of ${bytes.length}`);
    this.data = new DataView(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
    for (const [name, value] of Object.entries(headerOf(bytes.subarray(8, start)))) {
      if (name !== '__metadata__') this.entries.set(name, entryOf(name, value));
    }
    this.checkOffsets();
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The tensor in float32, to which half precision and bfloat16 are widened without rounding. */
  tensor(name: string): Tensor {
    const entry = this.entries.get(name);
    if (!entry) throw new Error(`${name}: the file has no such tensor`);
    const number = readers[entry.dtype];
    if (!number) throw new Error(`${name}: numbers of the type ${entry.dtype} are not read; F32, F16 and BF16 are`);
    const { shape, begin, end } = entry;
    const size = sizes[entry.dtype] as number;
    return { shape, data: Float32Array.from({ length: (end - begin) / size }, (_, i) => number(this.data, begin + i * size)) };
  }

  // Tensors follow each other without gaps and overlaps, and fill the file.
  private checkOffsets(): void {
    let filled = 0;
    for (const [name, { dtype, shape, begin, end }] of [...this.entries].sort(([, a], [, b]) => a.begin - b.begin || a.end - b.end)) {
      if (begin !== filled || end < begin) {
        throw new Error(`${name}: bytes ${begin} to ${end} do not follow on ${filled}, where the tensor before it ends`);
      }
      const count = shape.reduce((product, extent) => product * extent, 1);
      if (!Number.isSafeInteger(count * (sizes[dtype] as number))) throw new Error(`${name}: the shape [${shape}] has too many numbers`);
      if (count * (sizes[dtype] as number) !== end - begin) {
        throw new Error(`${name}: ${dtype} numbers of the shape [${shape}] do not fill ${end - begin} bytes`);
      }
      filled = end;
    }
    if (filled !== this.data.byteLength) throw new Error(`data: ${this.data.byteLength} bytes are there, but tensors fill ${filled}`);
  }
}

function headerOf(bytes: Uint8Array): object {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Error(`header: it is not JSON (${(error as Error).message})`);
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) throw new Error('header: it is not an object');
  return header;
}

function entryOf(name: string, value: unknown): Entry {
  const { dtype, shape, data_offsets } = (value ?? {}) as { dtype?: unknown; shape?: unknown; data_offsets?: unknown };
  if (typeof dtype !== 'string' || !Object.hasOwn(sizes, dtype)) throw new Error(`${name}: the type ${JSON.stringify(dtype)} is not known`);
  if (!areSizes(shape)) throw new Error(`${name}: the shape ${JSON.stringify(shape)} is not a list of sizes`);
  if (!areSizes(data_offsets) || data_offsets.length !== 2) {
    throw new Error(`${name}: the offsets ${JSON.stringify(data_offsets)} are not two numbers of bytes`);
  }
  return { dtype, shape, begin: data_offsets[0] as number, end: data_offsets[1] as number };
}

const areSizes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((entry) => Number.isSafeInteger(entry) && entry >= 0);

const bits = new DataView(new ArrayBuffer(4));
const readers: Readonly<Record<string, (data: DataView, at: number) => number>> = {
  F32: (data, at) => data.getFloat32(at, true),
  // bfloat16 is the upper half of a float32.
  BF16: (data, at) => {
    bits.setUint32(0, data.getUint16(at, true) << 16);
    return bits.getFloat32(0);
  },
  F16: (data, at) => halfPrecision(data.getUint16(at, true)),
};

function halfPrecision(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = (half & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}
