// Bundles an entry of web/ with all its imports to one module for Node, with Vite. The bundle is cached in build/book until one of its files changes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { contentDigest, filesOf } from '../digest.mjs';
import { root } from '../root.mjs';
import { plugins } from '../site/source-plugins.mjs';
import { writeWhole } from './disk-cache.mjs';

const folder = join(root, 'build/book/bundles');

/** Inputs of the plugins, which are not in the module graph: the engine (for the code of its worker), data of virtual modules, the plugins themselves. */
const READ_BY_PLUGINS = [
  'web/engine',
  'public/data/word-vectors.json',
  'public/data/word-vectors-64.i8',
  'public/models/index.json',
  'scripts/site',
  'scripts/book/web-bundle.mjs',
  'package-lock.json',
];

/**
 * A module of the graph. Its id is a path relative to the root of the repository, or the name of a virtual module.
 * @typedef {object} GraphModule
 * @property {string} digest of the source
 * @property {string[]} imports ids of its static and dynamic imports
 */
/**
 * @typedef {object} Bundle
 * @property {string} file the bundled module, a path relative to the root of the repository
 * @property {Record<string, GraphModule>} modules the module graph, by id
 */
/** @typedef {Bundle & { files: string[], digest: string, names: string }} KeptBundle `digest`: digest of `files`; `names`: digest of the file names in web/ */

/** @param {string | Uint8Array} content */
const digestOf = (content) => createHash('sha256').update(content).digest('hex');

/** A digest of file names: `import.meta.glob` finds files by name, so adding or removing a file can change the module graph. */
const namesInWeb = () =>
  digestOf(
    filesOf('web')
      .filter((file) => file.endsWith('.ts'))
      .join('\n'),
  );

/** The id of a module in the recorded graph, without a query. node_modules may be a symbolic link. @param {string} id of Vite */
function idOf(id) {
  const file = id.replace(/\?.*$/, '');
  const inPackage = file.indexOf('/node_modules/');
  return inPackage >= 0 ? file.slice(inPackage + 1) : file.startsWith('/') ? relative(root, file) : id;
}

/**
 * Replaces style sheets by empty texts: no picture depends on them, and pages get them from web/package/figure-style.ts.
 * @returns {import('vite').Plugin}
 */
const withoutSheets = () => ({
  name: 'phasor-without-sheets',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('.css?inline') ? '\0no-sheet' : undefined),
  load: (id) => (id === '\0no-sheet' ? "export default '';" : undefined),
});

/** Records the module graph. @param {Record<string, GraphModule>} modules @returns {import('vite').Plugin} */
const recordGraph = (modules) => ({
  name: 'phasor-record-graph',
  buildEnd() {
    for (const id of this.getModuleIds()) {
      const info = this.getModuleInfo(id);
      if (!info || id.startsWith('node:')) continue;
      const file = id.replace(/\?.*$/, '');
      modules[idOf(id)] = {
        digest: digestOf(existsSync(file) ? readFileSync(file) : (info.code ?? '')),
        imports: [...info.importedIds, ...info.dynamicallyImportedIds].map(idOf),
      };
    }
  },
});

/**
 * @param {string} entry
 * @param {string} name of the cached files
 * @param {{ hasSheets: boolean }} options
 * @returns {Promise<KeptBundle>}
 */
async function make(entry, name, { hasSheets }) {
  const start = Date.now();
  /** @type {Record<string, GraphModule>} */
  const modules = {};
  const result = await build({
    configFile: false,
    publicDir: false,
    root,
    logLevel: 'error',
    plugins: [...plugins(), !hasSheets && withoutSheets(), recordGraph(modules)],
    // The same builds of packages for every NODE_ENV.
    ssr: { noExternal: true, resolve: { conditions: ['module', 'node', 'production'] } },
    build: {
      ssr: join(root, entry),
      write: false,
      target: 'node20',
      minify: false,
      rollupOptions: { external: [/^node:/], output: { codeSplitting: false } },
    },
  });
  const { code } = /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]).output[0];
  // Node caches modules by their URL, so the name contains the digest.
  const file = join('build/book/bundles', `${name}-${digestOf(code).slice(0, 12)}.mjs`);
  writeWhole(join(root, file), code);
  const files = [...Object.keys(modules).filter((id) => existsSync(join(root, id))), ...READ_BY_PLUGINS].sort();
  const stored = { file, modules, files, digest: contentDigest(files), names: namesInWeb() };
  // The bundle is not cached if a file was changed while it was built.
  if (files.flatMap(filesOf).every((one) => statSync(join(root, one)).mtimeMs < start))
    writeWhole(join(folder, `${name}.json`), JSON.stringify(stored));
  return stored;
}

/**
 * @param {string} entry a TypeScript file, as a path relative to the root of the repository
 * @param {{ hasSheets?: boolean }} [options] `hasSheets`: includes style sheets that are imported as text
 * @returns {Promise<Bundle>}
 */
export async function webBundle(entry, { hasSheets = false } = {}) {
  mkdirSync(folder, { recursive: true });
  const name = `${entry.replaceAll(/\W+/g, '-')}${hasSheets ? '-with-sheets' : ''}`;
  const path = join(folder, `${name}.json`);
  if (existsSync(path)) {
    /** @type {KeptBundle} */
    const saved = JSON.parse(readFileSync(path, 'utf8'));
    const isCurrent = contentDigest(saved.files) === saved.digest && namesInWeb() === saved.names;
    if (isCurrent && existsSync(join(root, saved.file))) return saved;
  }
  return make(entry, name, { hasSheets });
}

/**
 * A digest of the given modules and everything they import, directly or not.
 * @param {Bundle} bundle
 * @param {string[]} starts ids of modules
 * @param {(id: string) => boolean} isLeftOut whether an import is ignored
 */
export function reachedDigest({ modules }, starts, isLeftOut) {
  const reached = new Set(starts);
  for (const id of reached) {
    const found = modules[id];
    if (!found && starts.includes(id)) throw new Error(`${id} is not in the module graph`);
    for (const imported of found?.imports ?? []) if (!isLeftOut(imported)) reached.add(imported);
  }
  return digestOf(
    [...reached]
      .sort()
      .map((id) => `${id} ${modules[id]?.digest}`)
      .join('\n'),
  );
}
