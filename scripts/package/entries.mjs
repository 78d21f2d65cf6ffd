// The entries of dist/npm. Each has a module for browsers and bundlers, a module for Node, and declarations.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WASM_FILES } from '../wasm/wasm.mjs';

/** @typedef {{ browser: string, node: string, types: string }} Entry */

/** @type {Record<string, Entry>} */
export const ENTRIES = {
  '.': { browser: 'index', node: 'node', types: 'index' },
  './analysis': { browser: 'analysis', node: 'analysis', types: 'analysis' },
  './doctor': { browser: 'doctor', node: 'doctor.node', types: 'doctor' },
  './worker': { browser: 'workers', node: 'workers.node', types: 'workers' },
  './inline': { browser: 'inline', node: 'inline.node', types: 'inline' },
  './train': { browser: 'train', node: 'train.node', types: 'train' },
  './model': { browser: 'model', node: 'model.node', types: 'model' },
  './worker.js': { browser: 'worker', node: 'worker.node', types: 'worker-file' },
  './model-worker.js': { browser: 'model-worker', node: 'model-worker.node', types: 'model-worker-file' },
  './figure': { browser: 'figure', node: 'figure-server', types: 'figure' },
  './render': { browser: 'render', node: 'render', types: 'render' },
};

/** The WebAssembly files, which are also entries, for bundlers. */
export const WASM = WASM_FILES.filter((name) => name.endsWith('.wasm'));

/** @param {Entry} modules */
const entry = ({ browser, node, types }) => ({
  node: {
    import: { types: `./${types}.d.ts`, default: `./${node}.js` },
    require: { types: `./${types}.d.cts`, default: `./${node}.cjs` },
  },
  types: `./${types}.d.ts`,
  default: `./${browser}.js`,
});

/** @param {string} name */
const wasmEntry = (name) => ({
  require: { types: `./${name}.d.cts`, default: `./${name}` },
  types: `./${name}.d.ts`,
  default: `./${name}`,
});

export const exported = () => ({
  ...Object.fromEntries(Object.entries(ENTRIES).map(([name, modules]) => [name, entry(modules)])),
  ...Object.fromEntries(WASM.map((name) => [`./${name}`, wasmEntry(name)])),
});

/** Writes the CommonJS file of each entry. Node can `require` modules since versions 20.19 and 22.12. @param {string} out */
export function writeRequired(out) {
  for (const { node } of Object.values(ENTRIES)) writeFileSync(join(out, `${node}.cjs`), `module.exports = require('./${node}.js');\n`);
}
