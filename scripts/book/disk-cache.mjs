// A cache in build/book of results that depend only on the sources of the book.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

const stored = join(root, 'build/book');

/**
 * Writes a file atomically, because several builds may run concurrently.
 * @param {string} path
 * @param {string | Uint8Array} content
 */
export function writeWhole(path, content) {
  writeFileSync(`${path}.${process.pid}`, content);
  renameSync(`${path}.${process.pid}`, path);
}

/**
 * The encoding of a value in a file. The default is JSON.
 * @template Value
 * @typedef {{ encode: (value: Value) => string | Uint8Array, decode: (bytes: Buffer) => Value }} Coding
 */

/**
 * @param {string} folder
 * @param {string} seed
 * @returns a function that computes a value once for each key `what` and seed
 */
export function diskCache(folder, seed) {
  mkdirSync(join(stored, folder), { recursive: true });
  /**
   * @template Value
   * @param {unknown} what
   * @param {() => Value | Promise<Value>} make
   * @param {Coding<Value>} [coding]
   * @returns {Promise<Value>}
   */
  return async (
    what,
    make,
    { encode, decode } = { encode: (value) => JSON.stringify(value), decode: (bytes) => JSON.parse(bytes.toString()) },
  ) => {
    const path = join(stored, folder, createHash('sha1').update(seed).update(JSON.stringify(what)).digest('hex'));
    if (existsSync(path)) return decode(readFileSync(path));
    const created = await make();
    // Tests use the core of dist/npm, which may be older than the sources of the seed, so they write no files.
    if (!process.env.VITEST) writeWhole(path, encode(created));
    return created;
  };
}
