// The declarations of dist/npm: those that an entry leads to, for modules and once more for CommonJS, where TypeScript takes a module's
// declarations for something that cannot be required.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

const IMPORT = /(from |import\()'(\.\.?\/[\w./-]+?)\.(?:js|ts)'/g;

export function finishTypes(out, entries) {
  const wanted = new Set();
  const visit = (name) => {
    if (wanted.has(name)) return;
    wanted.add(name);
    for (const [, , other] of readFileSync(join(out, `${name}.d.ts`), 'utf8').matchAll(IMPORT))
      visit(posix.join(posix.dirname(name), other));
  };
  entries.forEach(visit);
  const declared = readdirSync(out, { recursive: true }).filter((name) => String(name).endsWith('.d.ts'));
  for (const file of declared.map(String)) {
    const name = file.slice(0, -'.d.ts'.length).replaceAll(sep, '/');
    const path = join(out, file);
    if (!wanted.has(name)) {
      rmSync(path);
      continue;
    }
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(IMPORT, "$1'$2.js'"));
    writeFileSync(join(out, `${name}.d.cts`), text.replaceAll(IMPORT, "$1'$2.cjs'"));
  }
  const wasm = `/** The address of the file, or what your tool makes of it: give it to the option \`wasm\`. */\ndeclare const file: string | object;\n`;
  for (const variant of ['simd', 'scalar', 'nn-simd', 'nn-scalar']) {
    writeFileSync(join(out, `phasor-${variant}.wasm.d.ts`), `${wasm}export default file;\n`);
    writeFileSync(join(out, `phasor-${variant}.wasm.d.cts`), `${wasm}export = file;\n`);
  }
  // Without "exports" TypeScript looks for declarations beside the file of this name.
  writeFileSync(join(out, 'worker.d.ts'), "export * from './workers.js';\n");
  for (const name of wanted) if (!existsSync(join(out, `${name}.d.ts`))) throw new Error(`${name} has no declarations`);
}
