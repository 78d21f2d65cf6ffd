// Splits phasor/figure into files: figure.js, which pages load; code of all figures; a file for each kind; code shared by several kinds; and
// dialogs. All are in one folder, because addresses in them are relative to figure.js.
import { join } from 'node:path';
import { root } from '../root.mjs';

const ENTRY = join(root, 'web/package/figure.ts');
const KIND = /\/figure\/kinds\/([\w-]+)\/(index|code)\.ts$/;
/**
 * Modules that half of the kinds need (COMMON), and shared modules of at most SMALL characters, are in one file: a request costs more than the bytes
 * that some kinds do not use.
 */
const COMMON = 0.5;
const SMALL = 500;
/** Modules that many kinds use, but not the largest ones (sentence, rotation). */
const PARTS = {
  'figure-axes': /\/d3-array\/|\/axis-scale\.ts$/,
  'figure-shades': /\/charts\/color\.ts$/,
  'figure-bar': /\/color-bar\.ts$/,
};

/** @typedef {Pick<import('rolldown').PluginContext, 'getModuleInfo'>} Graph Rolldown's module graph */

/**
 * A module and everything it imports statically, directly or not.
 * @param {string} start
 * @param {Graph} graph
 * @param {boolean} [later] includes dynamic imports
 */
function reached(start, graph, later = false) {
  const found = new Set([start]);
  for (const id of found) {
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {};
    for (const imported of [...importedIds, ...(later ? dynamicallyImportedIds : [])]) found.add(imported);
  }
  return found;
}

/** The group of each grouped module. @param {Graph} graph @returns {Map<string, string>} */
function groupsOf(graph) {
  const always = reached(ENTRY, graph);
  /** @type {{ index: Map<string, number>, code: Map<string, number> }} for each module, the number of kinds that need it to draw, and to write programs */
  const users = { index: new Map(), code: new Map() };
  let kinds = 0;
  for (const id of reached(ENTRY, graph, true)) {
    const part = /** @type {'index' | 'code' | undefined} */ (KIND.exec(id)?.[2]);
    if (part === 'index') kinds += 1;
    if (part) for (const needed of reached(id, graph)) users[part].set(needed, (users[part].get(needed) ?? 0) + 1);
  }
  /** @param {string} id */
  const isSmall = (id) => (graph.getModuleInfo(id)?.code ?? '').length <= SMALL;
  /** @param {string} id @param {number} count */
  const isCommon = (id, count) => count >= COMMON * kinds || (count > 1 && isSmall(id));
  const common = [...users.index].filter(([id, count]) => isCommon(id, count) && !always.has(id)).map(([id]) => id);
  const programs = [...users.code].filter(([id, count]) => count > 1 && !always.has(id) && !users.index.has(id)).map(([id]) => id);
  always.delete(ENTRY);
  const groups = new Map();
  for (const [name, ids] of Object.entries({ 'figure-core': always, 'figure-drawing': common, 'figure-programs': programs }))
    for (const id of ids) groups.set(id, name);
  for (const [name, part] of Object.entries(PARTS)) for (const id of common) if (part.test(id)) groups.set(id, name);
  return groups;
}

/**
 * Groups for `codeSplitting`: the modules of each become one file. Rolldown groups other modules by their importers.
 * @returns {{ name: (id: string, graph: Graph) => string | null }[]}
 */
export function figureGroups() {
  /** @type {Map<string, string> | undefined} */
  let groups;
  return [
    {
      name(id, graph) {
        groups ??= groupsOf(graph);
        return groups.get(id) ?? null;
      },
    },
  ];
}

/** The name of a file that is loaded on demand. Rolldown numbers files with equal names. @param {import('rolldown').PreRenderedChunk} chunk */
export function figureFile({ facadeModuleId, name }) {
  const [, kind, part] = KIND.exec(facadeModuleId ?? '') ?? [];
  if (kind) return part === 'code' ? `figure-${kind}-code.js` : `figure-${kind}.js`;
  return name.startsWith('figure-') ? `${name}.js` : `figure-shared-${name}.js`;
}
