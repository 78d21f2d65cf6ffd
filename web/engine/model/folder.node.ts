// Opens the files of a model in a folder, or a single GGUF file. Each file is opened on its first read; all of them are closed together.

import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentError, PhasorError } from '../errors.ts';
import type { ReadableFile } from '../types/api.ts';
import type { OpenedFolder } from './checkpoint.ts';

async function readFromHandle(handle: FileHandle, begin: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - begin);
  let count = 0;
  for (;;) {
    const { bytesRead } = await handle.read(bytes, count, bytes.length - count, begin + count);
    count += bytesRead;
    if (bytesRead === 0 || count === bytes.length) return bytes.subarray(0, count);
  }
}

export async function openFolder(path: string | URL): Promise<OpenedFolder> {
  const localPath = typeof path === 'string' && !path.startsWith('file:') ? path : fileURLToPath(path);
  const isFile = await stat(localPath)
    .then((entry) => entry.isFile())
    .catch((thrown: unknown) => {
      throw argumentError('files', `${localPath} cannot be read (${PhasorError.from(thrown).message})`, { code: 'not_found' });
    });
  const folder = isFile ? dirname(localPath) : localPath;
  const names = isFile ? [basename(localPath)] : await readdir(localPath);
  const handles = new Map<string, Promise<FileHandle>>();
  const openHandle = (name: string) => {
    const handle = handles.get(name) ?? open(join(folder, name));
    handles.set(name, handle);
    return handle;
  };
  const files = await Promise.all(
    names.map(async (name): Promise<ReadableFile | undefined> => {
      const stats = await stat(join(folder, name)).catch(() => undefined); // undefined for a broken symbolic link
      if (!stats?.isFile()) return undefined;
      return { name, size: stats.size, read: async (begin, end) => readFromHandle(await openHandle(name), begin, end) };
    }),
  );
  return {
    files: files.filter((file) => file !== undefined),
    async close() {
      for (const handle of handles.values()) await (await handle.catch(() => undefined))?.close();
    },
  };
}
