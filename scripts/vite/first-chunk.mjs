// What the first picture needs is one file, however many other parts of the site use some of it: each file of a chain of imports costs a slow
// connection a request.
import { join } from 'node:path';

const entry = join(import.meta.dirname, '../../web/lab/main.ts');

/** All modules that a module imports at once, with itself. */
function reached(start, graph) {
  const found = new Set([start]);
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** A group for `codeSplitting`. */
export function firstChunk() {
  let modules;
  return {
    debugName: 'first',
    name(id, graph) {
      modules ??= reached(entry, graph);
      // The entry itself only starts; other pages have entries of their own.
      return id !== entry && modules.has(id) ? 'first' : null;
    },
  };
}
