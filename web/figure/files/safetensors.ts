// Reads the safetensors format: the length of the header (u64, little-endian), a JSON header, and the data of all
// tensors without gaps. Files are validated in the same order as in the official reader (huggingface/safetensors,
// tensor.rs).

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';
import { isTooDeep, MAX_DEPTH } from './json.ts';
import { NUMBER_TYPES, readNumbers } from './number-types.ts';

/** Supported dtypes, and their names in number-types.ts. A file may also contain tensors of other dtypes. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  F64: 'f8',
  F32: 'f4',
  F16: 'f2',
  BF16: 'bf16',
  I64: 'i8',
  I32: 'i4',
  I16: 'i2',
  I8: 'i1',
  U64: 'u8',
  U32: 'u4',
  U16: 'u2',
  U8: 'u1',
  BOOL: 'b1',
};
const numberTypeOf = (dtype: string) => (Object.hasOwn(TYPE_NAMES, dtype) ? NUMBER_TYPES[TYPE_NAMES[dtype] as string] : undefined);
const MAX_HEADER_LENGTH = 100_000_000n;

interface TensorEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

export class SafeTensors {
  private readonly entries = new Map<string, TensorEntry>();
  private readonly data: DataView;

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 8) throw new Error(`header: the file has ${bytes.length} bytes; expected at least 8`);
    const length = view.getBigUint64(0, true);
    if (length > MAX_HEADER_LENGTH) throw new Error(`header: length of ${length} bytes exceeds ${MAX_HEADER_LENGTH}`);
    const dataStart = 8 + Number(length);
    if (dataStart > bytes.length) throw new Error(`header: ends at byte ${dataStart}; the file has ${bytes.length} bytes`);
    this.data = new DataView(bytes.buffer, bytes.byteOffset + dataStart, bytes.length - dataStart);
    for (const [name, value] of Object.entries(parseHeader(bytes.subarray(8, dataStart)))) {
      if (name !== '__metadata__') this.entries.set(name, parseEntry(name, value));
    }
    this.checkOffsets();
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  dtypeOf(name: string): string | undefined {
    return this.entries.get(name)?.dtype;
  }

  /**
   * Reads a tensor as float32. Half precision and bfloat16 are converted exactly; other types are rounded to nearest.
   */
  tensor(name: string): Tensor {
    const entry = this.entries.get(name);
    if (!entry) throw new Error(`${name}: not found in the file`);
    const { dtype, shape, begin, end } = entry;
    const type = numberTypeOf(dtype);
    if (!type)
      throw new Error(`${name}: type ${formatHeaderValue(dtype)} is not supported; expected one of ${Object.keys(TYPE_NAMES).join(', ')}`);
    return { shape, data: readNumbers(type, this.data, begin, (end - begin) / type.size) };
  }

  // Checks that the tensors are contiguous, do not overlap, and fill the file.
  private checkOffsets(): void {
    let nextOffset = 0;
    for (const [name, { dtype, shape, begin, end }] of [...this.entries].sort(([, a], [, b]) => a.begin - b.begin || a.end - b.end)) {
      if (begin !== nextOffset || end < begin) {
        throw new Error(`${name}: bytes ${begin} to ${end} do not start at ${nextOffset}, where the previous tensor ends`);
      }
      nextOffset = end;
      const size = numberTypeOf(dtype)?.size;
      if (size === undefined) continue;
      const count = shape.reduce((product, extent) => product * extent, 1);
      if (!Number.isSafeInteger(count * size)) throw new Error(`${name}: the shape ${formatHeaderValue(shape)} has too many elements`);
      if (count * size !== end - begin) {
        throw new Error(`${name}: ${dtype} elements of shape ${formatHeaderValue(shape)} do not fill ${end - begin} bytes`);
      }
    }
    if (nextOffset !== this.data.byteLength)
      throw new Error(`data: ${this.data.byteLength} bytes are present, but the tensors fill ${nextOffset}`);
  }
}

function decodeHeader<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new Error(`header: is not JSON (${(error as Error).message})`);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

function parseHeader(bytes: Uint8Array): object {
  const text = decodeHeader(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  if (isTooDeep(text)) throw new Error(`header: is nested too deeply; expected at most ${MAX_DEPTH} levels`);
  const header: unknown = decodeHeader(() => JSON.parse(text));
  if (!isObject(header)) throw new Error('header: is not an object');
  // Whitespace may follow the header as padding, but must not precede it.
  if (!text.startsWith('{')) throw new Error('header: does not begin with {');
  const { __metadata__: metadata = {} } = header as { __metadata__?: unknown };
  if (!isObject(metadata) || !Object.values(metadata).every((value) => typeof value === 'string'))
    throw new Error('__metadata__: is not an object of strings');
  return header;
}

function formatHeaderValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function parseEntry(name: string, value: unknown): TensorEntry {
  const { dtype, shape, data_offsets } = (value ?? {}) as { dtype?: unknown; shape?: unknown; data_offsets?: unknown };
  if (typeof dtype !== 'string') throw new Error(`${name}: the type ${formatHeaderValue(dtype)} is not a string`);
  if (!areSizes(shape)) throw new Error(`${name}: the shape ${formatHeaderValue(shape)} is not a list of sizes`);
  if (!areSizes(data_offsets) || data_offsets.length !== 2) {
    throw new Error(`${name}: the offsets ${formatHeaderValue(data_offsets)} are not two byte offsets`);
  }
  return { dtype, shape, begin: entryAt(data_offsets, 0), end: entryAt(data_offsets, 1) };
}

const areSizes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((entry) => Number.isSafeInteger(entry) && entry >= 0);
