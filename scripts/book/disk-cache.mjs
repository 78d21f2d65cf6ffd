// What is made for the book and stays the same as long as its sources do is kept in build/book.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

const kept = join(root, 'build/book');

/**
 * Writes a file whole or not at all: several builds may run at once.
 * @param {string} path
 * @param {string | Uint8Array} content
 */
export function writeWhole(path, content) {
  writeFileSync(`${path}.${process.pid}`, content);
  renameSync(`${path}.${process.pid}`, path);
}

/**
 * How a value is kept in a file; by default as JSON.
 * @template Value
 * @typedef {{ encode: (value: Value) => string | Uint8Array, decode: (bytes: Buffer) => Value }} Coding
 */

/**
 * @param {string} folder
 * @param {string} seed
 * @returns a function that makes a value once for all that it depends on: `what` and the seed
 */
export function diskCache(folder, seed) {
  mkdirSync(join(kept, folder), { recursive: true });
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
    const path = join(kept, folder, createHash('sha1').update(seed).update(JSON.stringify(what)).digest('hex'));
    if (existsSync(path)) return decode(readFileSync(path));
    const made = await make();
    // The core of tests is that of dist/npm, which may be older than the one that the seed is about.
    if (!process.env.VITEST) writeWhole(path, encode(made));
    return made;
  };
}
