// Digests of the contents of files, to detect stale outputs.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * The files of a folder, sorted; for a file, itself; none if it does not exist. Paths are relative to the folder of the project.
 * @param {string} path
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
 * A digest of the names and contents of files and folders, whose paths are relative to the folder of the project.
 * @param {readonly string[]} inputs
 */
export function contentDigest(inputs) {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(filesOf)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
