// The engine of dist/npm as modules. TypeScript emits one module per file and leaves `new URL('./phasor-simd.wasm', import.meta.url)` as it is,
// which is what bundlers look for; only the worker is bundled, as a file and as a string.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { run } from '../run.mjs';
import { workerFile } from '../site/worker-source.mjs';
import { WASM_FILES, wasmFolder } from '../wasm/wasm.mjs';

/** What stands in the sources for a file that another tool makes. */
export const MADE = { '#glue': './glue.mjs', '#worker-source': './worker-source.js', '#inline-wasm': './inline-wasm.js' };

/** What a module imports of them, seen from its folder. */
const withMade = (text, module) => {
  const up = '../'.repeat(module.split('/').length - 1);
  return Object.entries(MADE).reduce((all, [name, file]) => all.replaceAll(`'${name}'`, `'${up ? file.replace('./', up) : file}'`), text);
};

/** The files of the engine's modules: what lies on the top of the package, and in its folders. */
const filesIn = (out) => readdirSync(out, { recursive: true }).map((name) => String(name).replaceAll(sep, '/'));

/** Sources are called by their place in the repository, and their text is in the map. */
export function namedSources(text) {
  const map = JSON.parse(text);
  const sources = map.sources.map((source) => source.replace(/^(\.\.\/)*/, ''));
  return JSON.stringify({ ...map, sources });
}

/** For worker threads of Node, which have no `self`. */
const inNode = (code) => `const { parentPort } = require('node:worker_threads');
globalThis.self = globalThis;
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));
${code}`;

/** Modules, WebAssembly, the worker, and declarations of every module. */
export async function buildEngine(out) {
  const write = (name, text) => writeFileSync(join(out, name), text);
  run('npx', ['tsc', '-p', 'web/engine/tsconfig.package.json', '--outDir', out]);
  for (const file of filesIn(out)) {
    if (/\.(js|d\.ts)$/.test(file)) write(file, withMade(readFileSync(join(out, file), 'utf8'), file));
    if (file.endsWith('.map')) write(file, namedSources(readFileSync(join(out, file), 'utf8')));
  }
  // Only our own pages use these, the worker is one script, and of types nothing is left.
  const isEmpty = (name) =>
    existsSync(join(out, `${name}.js.map`)) && /^(\/\/.*\n)*export \{\};\n/.test(readFileSync(join(out, `${name}.js`), 'utf8'));
  const unused = ['worker/page-worker', 'worker'];
  for (const name of unused) rmSync(join(out, `${name}.d.ts`));
  const modules = filesIn(out)
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -3));
  for (const name of modules.filter((module) => unused.includes(module) || isEmpty(module))) {
    for (const end of ['js', 'js.map']) rmSync(join(out, `${name}.${end}`));
  }

  const { code, map } = await workerFile();
  write('worker-source.js', `export default ${JSON.stringify(code)};\n`);
  write('worker.js', `${code.trimEnd()}\n//# sourceMappingURL=worker.js.map\n`);
  write('worker.js.map', namedSources(JSON.stringify(map)));
  write('worker.node.cjs', inNode(code));
  write('worker.node.js', "import './worker.node.cjs';\n");

  for (const file of WASM_FILES) copyFileSync(join(wasmFolder, file), join(out, file));
  const base64 = (variant) => readFileSync(join(out, `phasor-${variant}.wasm`)).toString('base64');
  write('inline-wasm.js', `export const simd = '${base64('simd')}';\nexport const scalar = '${base64('scalar')}';\n`);
}
