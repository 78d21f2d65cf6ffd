// Builds the engine of dist/npm. TypeScript emits one module per file and keeps `new URL('./phasor.wasm', import.meta.url)`, which bundlers
// recognize; only workers are bundled, as files and as strings.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../root.mjs';
import { run } from '../run.mjs';
import { workerSource } from '../site/worker-source.mjs';
import { WASM_FILES, wasmFolder } from '../wasm/wasm.mjs';

/** Generated files, by the names under which the sources import them. */
const MADE = {
  '#glue': './phasor.mjs',
  '#glue-nn': './phasor-nn.mjs',
  '#glue-model': './phasor-model.mjs',
  '#fused-kernels': './fused-kernels.mjs',
  '#worker-source': './worker-source.js',
  '#model-worker-source': './model-worker-source.js',
  '#inline-wasm': './inline-wasm.js',
};

/** @type {('worker' | 'model-worker')[]} */
const WORKERS = ['worker', 'model-worker'];

/** The WebAssembly file that phasor/inline contains. */
const INLINE = 'phasor.wasm';

/** Replaces the names of generated files by paths relative to the module. @param {string} text of the module @param {string} module */
const withMade = (text, module) => {
  const up = '../'.repeat(module.split('/').length - 1);
  return Object.entries(MADE).reduce((all, [name, file]) => all.replaceAll(`'${name}'`, `'${up ? file.replace('./', up) : file}'`), text);
};

/**
 * A module that runs the worker script of browsers in a worker thread of Node, which has no `self`. Messages are queued until the script adds its
 * listener.
 */
const workerInNode = (/** @type {string} */ name) => `import { parentPort } from 'node:worker_threads';
globalThis.self = globalThis;
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));
import('./${name}.js');
`;

/** Modules that only the pages of the site use. */
const OF_PAGES = /^(doctor-worker|worker\/page-worker|worker\/doctor-client)$/;

/** Writes the modules and their declarations as TypeScript emits them, the workers, and the WebAssembly. @param {string} out */
export async function buildEngine(out) {
  /** @param {string} name @param {string} text */
  const write = (name, text) => writeFileSync(join(out, name), text);
  run('npx', ['tsc', '-p', 'web/engine/tsconfig.package.json', '--outDir', out]);
  const sources = readdirSync(join(root, 'web/engine'), { recursive: true }).map((name) => String(name).replaceAll(sep, '/'));
  for (const source of sources.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))) {
    const name = source.slice(0, -'.ts'.length);
    for (const file of [`${name}.js`, `${name}.d.ts`]) {
      const text = readFileSync(join(out, file), 'utf8');
      // Not in the package: workers (bundled below), modules of pages, and the scripts of modules that contain only types.
      const isEmpty = file.endsWith('.js') && /^(\/\/.*\n)*export \{\};\n$/.test(text);
      if (isEmpty || WORKERS.some((worker) => worker === name) || OF_PAGES.test(name)) rmSync(join(out, file));
      else write(file, withMade(text, file));
    }
  }

  for (const name of WORKERS) {
    const worker = await workerSource(name);
    write(`${name}-source.js`, `export default ${JSON.stringify(worker)};\n`);
    write(`${name}.js`, worker);
    write(`${name}.node.js`, workerInNode(name));
  }

  for (const file of WASM_FILES) copyFileSync(join(wasmFolder, file), join(out, basename(file)));
  const packed = gzipSync(readFileSync(join(wasmFolder, INLINE)), { level: 9 });
  write('inline-wasm.js', `export default '${packed.toString('base64')}';\n`);
}
