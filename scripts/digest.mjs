// Digests of the contents of files, to detect stale outputs.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * The files of a folder, sorted, as paths relative to the root of the repository.
 * @param {string} path a folder, a file, or a path that does not exist, which has no files
 * @returns {string[]}
 */
export function filesOf(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}

/**
 * A digest of the names and contents of files.
 * @param {readonly string[]} inputs files and folders, relative to the root of the repository
 */
export function contentDigest(inputs) {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(filesOf)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
