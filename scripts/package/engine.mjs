// The engine of dist/npm as modules. TypeScript emits one module per file and leaves `new URL('./phasor-simd.wasm', import.meta.url)` as it is,
// which is what bundlers look for; only the worker is bundled, as a file and as a string.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.mjs';
import { workerFile } from '../site/worker-source.mjs';
import { WASM_FILES, wasmFolder } from '../wasm/wasm.mjs';

/** What stands in the sources for a file that another tool makes. */
export const MADE = { '#glue': './glue.mjs', '#worker-source': './worker-source.js', '#inline-wasm': './inline-wasm.js' };

const withMade = (text) => Object.entries(MADE).reduce((all, [name, file]) => all.replaceAll(`'${name}'`, `'${file}'`), text);

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
  for (const file of readdirSync(out)) {
    const text = readFileSync(join(out, file), 'utf8');
    if (/\.(js|d\.ts)$/.test(file)) write(file, withMade(text));
    if (file.endsWith('.map')) write(file, namedSources(text));
  }
  // Only our own pages use these, the worker is one script, and of types nothing is left.
  const isEmpty = (name) =>
    existsSync(join(out, `${name}.js.map`)) && /^(\/\/.*\n)*export \{\};\n/.test(readFileSync(join(out, `${name}.js`), 'utf8'));
  for (const name of ['page-worker', 'worker']) rmSync(join(out, `${name}.d.ts`));
  const modules = readdirSync(out)
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -3));
  for (const name of modules.filter((module) => ['page-worker', 'worker'].includes(module) || isEmpty(module))) {
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
