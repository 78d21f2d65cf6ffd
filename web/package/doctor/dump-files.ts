// Reads named tensors and configs from files.

import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type GgufHeader, readGgufHeader, TruncatedHeaderError } from '../../figure/files/gguf-header.ts';
import { isTooDeep } from '../../figure/files/json.ts';
import { readNpy, readNpyHeader } from '../../figure/files/npy.ts';
import { SafeTensors } from '../../figure/files/safetensors.ts';

export interface NamedTensor {
  readonly name: string;
  readonly file: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
  /** The dtype's name in safetensors files, such as F32. */
  readonly dtype: string;
  readonly sha256: string;
}

const NPY_TYPES: { readonly [numpy: string]: string } = { f2: 'F16', f4: 'F32', f8: 'F64' };

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${file}: ${code === 'ENOENT' ? 'no such file' : message}`);
  }
}

/** Reads all tensors of a file or, for `FILE#NAME`, only the tensor with this name. */
export async function readTensors(path: string): Promise<NamedTensor[]> {
  const [, file = '', tensorName] = /^(.*?)(?:#([^#]+))?$/.exec(path) ?? [];
  const bytes = await readBytes(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (file.endsWith('.npy')) {
    const { dtype } = readNpyHeader(file, bytes);
    return [{ name: basename(file, '.npy'), file, dtype: NPY_TYPES[dtype] ?? dtype, sha256, ...readNpy(file, bytes) }];
  }
  if (!file.endsWith('.safetensors')) throw new Error(`${file}: unknown file type; expected .npy or .safetensors`);
  let tensors: SafeTensors;
  try {
    tensors = new SafeTensors(bytes);
  } catch (error) {
    throw new Error(`${file}: not a safetensors file (${(error as Error).message})`);
  }
  const names = tensorName === undefined ? tensors.names : [tensorName];
  if (tensorName !== undefined && !tensors.has(tensorName))
    throw new Error(`${file}: there is no tensor ${tensorName}; expected one of ${tensors.names.slice(0, 8).join(', ')}`);
  return names.map((name) => ({ name, file, dtype: tensors.dtypeOf(name) ?? '', sha256, ...tensors.tensor(name) }));
}

export async function readConfigFile(file: string): Promise<object> {
  const text = new TextDecoder().decode(await readBytes(file));
  try {
    const value: unknown = isTooDeep(text) ? undefined : JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Invalid JSON is reported below.
  }
  throw new Error(`${file}: not a config.json; expected a JSON object`);
}

const INITIAL_READ_BYTES = 2 ** 20;

/** Reads a GGUF file's header without the weights. */
export async function readGguf(file: string): Promise<GgufHeader> {
  const fileSize = await stat(file).then(
    (fileStats) => fileStats.size,
    () => {
      throw new Error(`${file}: no such file`);
    },
  );
  const fileHandle = await open(file);
  try {
    for (let byteCount = Math.min(fileSize, INITIAL_READ_BYTES); ; byteCount = Math.min(fileSize, byteCount * 4)) {
      const bytes = new Uint8Array(byteCount);
      await fileHandle.read(bytes, 0, byteCount, 0);
      try {
        return readGgufHeader(file, bytes);
      } catch (error) {
        if (!(error instanceof TruncatedHeaderError) || byteCount === fileSize) throw error;
      }
    }
  } finally {
    await fileHandle.close();
  }
}
