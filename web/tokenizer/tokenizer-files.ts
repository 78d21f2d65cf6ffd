import { argumentError, PhasorError } from '../engine/errors.ts';
import { readLists } from '../engine/model/gguf-metadata.ts';
import type { FileLike } from '../engine/types/model-files.ts';
import { tokenizerFromGguf } from './gguf/gguf-tokenizer.ts';
import { createTokenizer, type TextTokenizer } from './tokenizer.ts';

/**
 * The tokenizer files of a checkpoint, or a GGUF file and its metadata, in which lists are replaced by their file offsets. Files must be
 * Blobs to be posted to a worker.
 */
export type TokenizerFiles =
  | { readonly json: FileLike; readonly config?: FileLike | undefined }
  | { readonly gguf: FileLike; readonly metadata: { readonly [name: string]: unknown } };

async function readJson(file: FileLike): Promise<unknown> {
  const text = new TextDecoder().decode(await file.slice(0, file.size).arrayBuffer());
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw argumentError('tokenizer', `${file.name} is not JSON (${PhasorError.from(thrown).message})`);
  }
}

/** @throws {PhasorError} rejects with the errors of `createTokenizer` and `tokenizerFromGguf` */
export async function readTokenizer(files: TokenizerFiles): Promise<TextTokenizer> {
  if ('json' in files) {
    const config = files.config && ((await readJson(files.config)) as object);
    return createTokenizer(await readJson(files.json), config);
  }
  const { gguf, metadata } = files;
  const readRange = async (begin: number, end: number) => new Uint8Array(await gguf.slice(begin, end).arrayBuffer());
  return createTokenizer(tokenizerFromGguf(await readLists({ name: gguf.name, size: gguf.size, read: readRange }, metadata)));
}
