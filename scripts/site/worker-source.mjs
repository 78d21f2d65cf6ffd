// Provides '#worker-source', the text of one classic script with web/engine/worker.ts and its imports, and likewise '#model-worker-source',
// '#doctor-worker-source' and '#tokenizer-worker-source'. Workers are started from a blob, so they run under every bundler, from a script tag and
// from a file on disk.
import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../root.mjs';

/** @typedef {'worker' | 'model-worker' | 'doctor-worker' | 'tokenizer-worker'} WorkerName */

/** The folder of a worker; tokenizers are not part of the engine. @param {WorkerName} name */
const folderOf = (name) => (name === 'tokenizer-worker' ? 'web/tokenizer' : 'web/engine');

/** The bundled worker, with the ids of its modules. @param {WorkerName} name */
async function workerFile(name) {
  const result = await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, `${folderOf(name)}/${name}.ts`), formats: ['iife'], name: 'phasorWorker', fileName: name },
    },
  });
  return /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]).output[0];
}

export const workerSource = async (/** @type {WorkerName} */ name = 'worker') => (await workerFile(name)).code;

/** @returns {import('vite').Plugin} */
export function workerSourcePlugin() {
  const prefix = '\0worker-source:';
  return {
    name: 'phasor-worker-source',
    enforce: 'pre',
    resolveId: (source) =>
      /^#((model|doctor|tokenizer)-)?worker-source$/.test(source) ? prefix + source.slice(1, -'-source'.length) : undefined,
    async load(source) {
      if (!source.startsWith(prefix)) return undefined;
      const { code, moduleIds } = await workerFile(/** @type {WorkerName} */ (source.slice(prefix.length)));
      for (const file of moduleIds) this.addWatchFile(file);
      return `export default ${JSON.stringify(code)}`;
    },
  };
}

/**
 * Leaves `new URL` addresses for other bundlers unresolved: pages of the site pass the WebAssembly to the worker.
 * @returns {import('vite').Plugin}
 */
export function ownWasm() {
  return {
    name: 'phasor-own-wasm',
    enforce: 'pre',
    transform: (code, id) =>
      /\/engine\/package-(nn-|model-)?files\.ts$/.test(id)
        ? code.replaceAll("new URL('./phasor", "new URL(/* @vite-ignore */ './phasor")
        : undefined,
  };
}
