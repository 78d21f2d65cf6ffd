// Writes the declarations of dist/npm. TypeScript before 5.8 does not let a CommonJS file import the declarations of a module, but a module may import
// those of CommonJS. So the declarations are in .d.cts files, and each entry has a .d.ts file that re-exports them.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../root.mjs';
import { ENTRIES, WASM } from './entries.mjs';

const IMPORT = /(from |import\()'(\.\.?\/[\w./-]+?)\.(?:js|ts)'/g;

/** Reads hand-written declarations, which do not need the types of Lit. @param {string} path */
const handWritten = (path) => readFileSync(join(root, path), 'utf8').replace(/'(\.\.\/)+engine\/index\.ts'/g, "'./index.js'");

/** Replaces the declarations that TypeScript emitted by those of the package. @param {string} out */
export function writeTypes(out) {
  /** @param {string} name @param {string} text */
  const write = (name, text) => writeFileSync(join(out, name), text);
  write('figure.d.ts', handWritten('web/figure/contract/element-types.ts'));
  // Types of functions become functions, with their comments.
  const render = handWritten('web/package/render-types.ts');
  write('render.d.ts', render.replaceAll(/export type Render(\w+) = (\(.*\)) => (.*);/g, 'export declare function render$1$2: $3;'));

  const entries = Object.values(ENTRIES).map(({ types }) => types);
  const used = new Map();
  /** @param {string} name */
  const use = (name) => {
    if (used.has(name)) return;
    const text = readFileSync(join(out, `${name}.d.ts`), 'utf8');
    used.set(name, text.replaceAll(IMPORT, "$1'$2.cjs'"));
    for (const [, , other = ''] of text.matchAll(IMPORT)) use(posix.join(posix.dirname(name), other));
  };
  entries.forEach(use);
  for (const file of readdirSync(out, { recursive: true }).map(String)) if (/\.d\.c?ts$/.test(file)) rmSync(join(out, file));
  for (const [name, text] of used) write(`${name}.d.cts`, text);
  for (const name of entries) write(`${name}.d.ts`, `export * from './${name}.cjs';\n`);
  // Without "exports" TypeScript looks for the declarations of phasor/worker in this file.
  write('worker.d.ts', "export * from './workers.cjs';\n");
  write('model-worker.d.ts', "export * from './model-worker-file.cjs';\n");

  const wasm =
    '/** The address of the file, or what your tool makes of it: the value of the option `wasm`. */\ndeclare const file: string | object;\n';
  for (const name of WASM) {
    write(`${name}.d.ts`, `${wasm}export default file;\n`);
    write(`${name}.d.cts`, `${wasm}export = file;\n`);
  }
}
