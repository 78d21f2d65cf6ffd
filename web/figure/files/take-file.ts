// Converts a file that the user opens to field values of a figure.
import { messageOf } from '../../engine/errors.ts';
import type { DroppedFile } from '../contract/kind.ts';
import type { AnyKind } from '../contract/registry.ts';
import { acceptsImages, readImage } from './image.ts';
import { readFile } from './read-file.ts';
import { FILE_STRINGS } from './strings.ts';

/** Parses the value of one field. Throws an Error that names the field if the value is invalid. */
function readField(kind: AnyKind, name: string, value: unknown): unknown {
  try {
    return kind.fields[name]?.read(value);
  } catch (thrown) {
    throw new Error(`${name} ${messageOf(thrown)}`);
  }
}

/** Reads the content of a file. Kinds that accept images read every file except .npy as an image. */
async function readContent(file: File, { files }: AnyKind): Promise<DroppedFile> {
  if (!acceptsImages(files?.extensions) || /\.npy$/i.test(file.name)) return readFile(file);
  return { name: file.name, tensors: { data: await readImage(file) } };
}

/** Returns the field values that display a file. Rejects with an Error if the file or a value is invalid. */
export async function readFields(file: File, kind: AnyKind): Promise<{ readonly [field: string]: unknown }> {
  const fields = kind.accept?.(await readContent(file, kind));
  if (!fields) throw new Error(FILE_STRINGS.notAccepted(file.name));
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readField(kind, name, value)]));
}
