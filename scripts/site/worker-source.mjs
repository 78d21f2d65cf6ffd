// '#worker-source': web/engine/worker.ts and all it needs as the text of one classic script. It starts from a blob, so the
// same worker runs under every bundler, from a plain script tag and from a file opened from disk.
import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../root.mjs';
import { replacing } from './replacing.mjs';

/** @returns {import('vite').Plugin} */
const instead = (name, modules) => ({ name, enforce: 'pre', resolveId: replacing(modules) });

/** For the worker of figures. Encodings as the WebAssembly describes them: their parameters have no summaries, which take up half of the worker. */
const withoutSummaries = () => instead('phasor-without-summaries', { 'web/engine/summaries': 'web/package/no-summaries' });

/** The engine of figures: it gives new arrays, keeps nothing, and gives the same numbers on every machine. */
export const forFigures = () =>
  instead('phasor-for-figures', {
    'web/engine/out': 'web/package/no-out',
    'web/engine/out-arrays': 'web/package/no-out',
    'web/engine/fused': 'web/package/no-fused',
    'web/engine/handles': 'web/package/no-handles',
  });

/** The script with its source map. */
export async function workerFile({ summaries = true, figures = false } = {}) {
  const result = await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [summaries ? [] : withoutSummaries(), figures ? forFigures() : []].flat(),
    build: {
      write: false,
      minify: 'terser',
      terserOptions: { ecma: 2022, compress: { passes: 3, ecma: 2022 } },
      sourcemap: 'hidden',
      target: 'es2022',
      lib: { entry: join(root, 'web/engine/worker.ts'), formats: ['iife'], name: 'phasorWorker', fileName: 'worker' },
    },
  });
  return /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]).output[0];
}

export const workerSource = async (options) => (await workerFile(options)).code;

/**
 * @param {{ summaries?: boolean, figures?: boolean }} [options] of parameters; whether the engine is that of figures
 * @returns {import('vite').Plugin}
 */
export function workerSourcePlugin(options) {
  const id = '\0worker-source';
  return {
    name: 'phasor-worker-source',
    enforce: 'pre',
    resolveId: (source) => (source === '#worker-source' ? id : undefined),
    load: async (source) => (source === id ? `export default ${JSON.stringify(await workerSource(options))}` : undefined),
  };
}

/**
 * Our own pages hand the WebAssembly over, so the addresses beside the engine's modules, which are meant for the bundlers of
 * others, are left alone here.
 * @returns {import('vite').Plugin}
 */
export function ownWasm() {
  return {
    name: 'phasor-own-wasm',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('/engine/own-files.ts') ? code.replaceAll("new URL('./phasor", "new URL(/* @vite-ignore */ './phasor") : undefined,
  };
}
