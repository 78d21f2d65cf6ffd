// Checkpoints of tests/golden-models as files in memory, and a reader and writer of safetensors.
import { readFileSync } from 'node:fs';
import type { ReadableFile } from '../../web/engine/types/api.ts';

export const GOLDEN = 'tests/golden-models';

export const fileBytes = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(`${GOLDEN}/${path}`));

export const configOf = (name: string): Record<string, unknown> => JSON.parse(readFileSync(`${GOLDEN}/${name}/config.json`, 'utf8'));

/** A file in memory; `onRead` is called with the range of each read. */
export function readableFile(name: string, bytes: Uint8Array, onRead: (begin: number, end: number) => void = () => {}): ReadableFile {
  return {
    name,
    size: bytes.length,
    read: async (begin, end) => {
      onRead(begin, end);
      return bytes.subarray(begin, end);
    },
  };
}

export const filesOf = (name: string): ReadableFile[] =>
  ['config.json', 'model.safetensors'].map((file) => readableFile(file, fileBytes(`${name}/${file}`)));

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
}

export function readTensors(bytes: Uint8Array): Map<string, Entry> {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const names = Object.keys(header).filter((name) => name !== '__metadata__');
  return new Map(
    names.map((name) => {
      const { dtype, shape, data_offsets } = header[name];
      const [begin, end] = data_offsets.map((offset: number) => 8 + length + offset);
      return [name, { dtype, shape, data: bytes.subarray(begin, end) }];
    }),
  );
}

export function writeTensors(tensors: Iterable<readonly [string, Entry]>): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const header: Record<string, object> = {};
  for (const [name, { dtype, shape, data }] of tensors) {
    header[name] = { dtype, shape, data_offsets: [size, size + data.length] };
    parts.push(data);
    size += data.length;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + text.length + size);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  let offset = 8 + text.length;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
