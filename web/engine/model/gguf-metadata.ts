// Reads the arrays in the metadata of a GGUF file, at the byte offsets that the core has found.

import { argumentError } from '../errors.ts';
import type { ReadableFile } from '../types/api.ts';
import { readBytes } from './checkpoint.ts';

/** An array at the bytes [begin, end) of the file, with `count` elements of a GGUF type. */
interface ListLocation {
  readonly type: number;
  readonly count: number;
  readonly begin: number;
  readonly end: number;
}

const STRING_TYPE = 8;
/** The size in bytes and the reader of each numeric GGUF type. */
const NUMBER_TYPES: { readonly [type: number]: readonly [bytes: number, read: (view: DataView, at: number) => number | boolean] } = {
  0: [1, (view, at) => view.getUint8(at)],
  1: [1, (view, at) => view.getInt8(at)],
  2: [2, (view, at) => view.getUint16(at, true)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [4, (view, at) => view.getUint32(at, true)],
  5: [4, (view, at) => view.getInt32(at, true)],
  6: [4, (view, at) => view.getFloat32(at, true)],
  7: [1, (view, at) => view.getUint8(at) !== 0],
  10: [8, (view, at) => Number(view.getBigUint64(at, true))],
  11: [8, (view, at) => Number(view.getBigInt64(at, true))],
  12: [8, (view, at) => view.getFloat64(at, true)],
};

const MAX_READ_BYTES = 8 * 2 ** 20;

async function readChunks(file: ReadableFile, begin: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - begin);
  for (let at = begin; at < end; at += MAX_READ_BYTES) bytes.set(await readBytes(file, at, Math.min(end, at + MAX_READ_BYTES)), at - begin);
  return bytes;
}

function parseStrings(bytes: Uint8Array, count: number, name: string): readonly string[] {
  const [view, decoder] = [new DataView(bytes.buffer), new TextDecoder()];
  let at = 0;
  return Array.from({ length: count }, () => {
    const end = at + 8 <= bytes.length ? at + 8 + Number(view.getBigUint64(at, true)) : Number.POSITIVE_INFINITY;
    if (end > bytes.length) throw argumentError(name, 'has a string that extends past the end of the list');
    const text = decoder.decode(bytes.subarray(at + 8, end));
    at = end;
    return text;
  });
}

/** Reads the elements of an array. Nested arrays are not supported. */
async function readList(file: ReadableFile, name: string, { type, count, begin, end }: ListLocation): Promise<unknown> {
  const bytes = await readChunks(file, begin, end);
  if (type === STRING_TYPE) return parseStrings(bytes, count, name);
  const [size, readNumber] = NUMBER_TYPES[type] ?? [];
  if (!(size && readNumber)) return undefined;
  const view = new DataView(bytes.buffer);
  return Array.from({ length: count }, (_, at) => readNumber(view, at * size));
}

/** Returns the metadata with each array location replaced by the elements of the array. */
export async function readLists(
  file: ReadableFile,
  rawMetadata: { readonly [name: string]: unknown },
): Promise<ReadonlyMap<string, unknown>> {
  const metadata = new Map<string, unknown>();
  for (const [name, value] of Object.entries(rawMetadata))
    metadata.set(name, typeof value === 'object' && value !== null ? await readList(file, name, value as ListLocation) : value);
  return metadata;
}
