// What is made for the book and stays the same as long as its sources do is kept in build/book.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

const kept = join(root, 'build/book');

/** Of the content of files and folders. */
export function hashOf(sources) {
  const hash = createHash('sha1');
  const add = (path) => {
    const full = join(root, path);
    let names;
    try {
      names = readdirSync(full, { withFileTypes: true });
    } catch {
      hash.update(path).update(readFileSync(full));
      return;
    }
    for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1)))
      if (!/\.(md|css)$/.test(name) || path.startsWith('web/figure')) add(`${path}/${name}`);
  };
  for (const path of sources) add(path);
  return hash.digest('hex');
}

/** @returns what makes something once for all that it depends on: `what` and the seed */
export function diskCache(folder, seed) {
  mkdirSync(join(kept, folder), { recursive: true });
  return async (what, make, { encode = JSON.stringify, decode = (bytes) => JSON.parse(bytes.toString()) } = {}) => {
    const path = join(kept, folder, createHash('sha1').update(seed).update(JSON.stringify(what)).digest('hex'));
    if (existsSync(path)) return decode(readFileSync(path));
    const made = await make();
    // Vitest loads style sheets as nothing: what tests draw is not what a build draws.
    if (process.env.VITEST) return made;
    // Whole or not at all: several builds may run at once.
    writeFileSync(`${path}.${process.pid}`, encode(made));
    renameSync(`${path}.${process.pid}`, path);
    return made;
  };
}
