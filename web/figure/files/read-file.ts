// Parses files that the user opens: arrays, tables, JSON and text.
import type { Tensor } from '../../engine/index.ts';
import type { DroppedFile } from '../contract/kind.ts';
import { readCsv } from './csv.ts';
import { isTooDeep, MAX_DEPTH } from './json.ts';
import { readNpy } from './npy.ts';
import { SafeTensors } from './safetensors.ts';
import { FILE_STRINGS } from './strings.ts';

export const MAX_BYTES = 512 * 2 ** 20;

interface ReadableFile {
  readonly name: string;
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * Returns the shape of nested lists of numbers, or undefined if they are ragged, nested too deeply, or contain other
 * values.
 */
function inferShape(value: unknown): number[] | undefined {
  if (typeof value === 'number') return [];
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const [first, ...otherShapes] = value.map(inferShape);
  if (!first || otherShapes.some((sides) => String(sides) !== String(first))) return undefined;
  return [value.length, ...first];
}

function readJson(name: string, bytes: Uint8Array): Pick<DroppedFile, 'json' | 'tensors'> {
  const text = readText(name, bytes);
  if (isTooDeep(text)) throw new Error(FILE_STRINGS.tooDeep(name, MAX_DEPTH));
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    throw new Error(FILE_STRINGS.json(name, (thrown as Error).message));
  }
  const shape = inferShape(json);
  if (!shape || shape.length === 0) return { json };
  return { json, tensors: { data: { shape, data: Float32Array.from((json as unknown[]).flat(shape.length - 1) as number[]) } } };
}

function readText(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(FILE_STRINGS.notText(name));
  }
}

/** Decodes each tensor only on access, because a model file may contain many. */
function readSafetensors(name: string, bytes: Uint8Array): { readonly [tensor: string]: Tensor } {
  let file: SafeTensors;
  try {
    file = new SafeTensors(bytes);
  } catch (thrown) {
    throw new Error(FILE_STRINGS.safetensors(name, (thrown as Error).message));
  }
  if (file.names.length === 0) throw new Error(FILE_STRINGS.noNumbers(name));
  const tensors = Object.create(null) as { [tensor: string]: Tensor };
  for (const tensor of file.names) Object.defineProperty(tensors, tensor, { enumerable: true, get: () => file.tensor(tensor) });
  return tensors;
}

/** Throws an Error that names the file. */
export function parseFile(name: string, bytes: Uint8Array): DroppedFile {
  if (bytes.length === 0) throw new Error(FILE_STRINGS.empty(name));
  switch (/\.(\w+)$/.exec(name.toLowerCase())?.[1]) {
    case 'npy':
      return { name, tensors: { data: readNpy(name, bytes) } };
    case 'safetensors':
      return { name, tensors: readSafetensors(name, bytes) };
    case 'csv':
    case 'tsv':
      return { name, tensors: { data: readCsv(name, readText(name, bytes)) } };
    case 'json':
      return { name, ...readJson(name, bytes) };
    case 'txt':
      return { name, text: readText(name, bytes) };
    default:
      throw new Error(FILE_STRINGS.unknownType(name));
  }
}

/** Rejects with an Error that names the file. */
export async function readFile(file: ReadableFile): Promise<DroppedFile> {
  if (file.size > MAX_BYTES) throw new Error(FILE_STRINGS.tooLarge(file.name, file.size, MAX_BYTES));
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(FILE_STRINGS.unreadable(file.name));
  });
  return parseFile(file.name, new Uint8Array(bytes));
}
