// dist/npm: the engine as a package. TypeScript emits one module per file and leaves `new URL('./phasor-simd.wasm',
// import.meta.url)` as it is, which is what bundlers look for; only the worker is bundled, into a string.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './cmake.mjs';
import { buildFigureEntries } from './npm-figure.mjs';
import { workerSource } from './vite/worker-source.mjs';

export async function buildPackage() {
  const out = join(root, 'dist/npm');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  run('npx', ['tsc', '-p', 'web/engine/tsconfig.package.json', '--outDir', out]);

  for (const file of readdirSync(out).filter((name) => /\.(js|d\.ts)$/.test(name))) {
    const path = join(out, file);
    const text = readFileSync(path, 'utf8').replaceAll("'#glue'", "'./glue.mjs'").replaceAll("'#worker-source'", "'./worker-source.js'");
    writeFileSync(path, text);
  }
  rmSync(join(out, 'worker.js'));
  rmSync(join(out, 'worker.d.ts'));
  writeFileSync(join(out, 'worker-source.js'), `export default ${JSON.stringify(await workerSource())};\n`);
  // Emitted declarations of internal modules speak of '#glue' too, so its types travel along under the file's real name.
  const glueTypes = readFileSync(join(root, 'web/engine/glue.d.ts'), 'utf8');
  writeFileSync(join(out, 'glue.d.mts'), modulePart(glueTypes, '#glue'));
  writeFileSync(join(out, 'worker-source.d.ts'), modulePart(glueTypes, '#worker-source'));

  for (const file of ['glue.mjs', 'phasor-simd.wasm', 'phasor-scalar.wasm']) copyFileSync(join(root, 'build/wasm', file), join(out, file));
  await buildFigureEntries(out);
  for (const file of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, file), join(out, file));
  copyFileSync(join(root, 'web/engine/README.md'), join(out, 'README.md'));
  const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = {
    name: 'phasor',
    version,
    description,
    license,
    keywords: ['positional encoding', 'attention', 'transformer', 'RoPE', 'ALiBi', 'WebAssembly', 'SIMD'],
    type: 'module',
    // Importing it defines the element.
    sideEffects: ['./figure.js'],
    exports: {
      '.': { types: './index.d.ts', node: './node.js', default: './index.js' },
      // On a server there are no elements to define: importing it does nothing.
      './figure': { types: './figure.d.ts', node: './figure-server.js', default: './figure.js' },
      './render': { types: './render.d.ts', default: './render.js' },
      './phasor-simd.wasm': './phasor-simd.wasm',
      './phasor-scalar.wasm': './phasor-scalar.wasm',
      './package.json': './package.json',
    },
    engines: { node: '>=20' },
  };
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The body of one `declare module` block, as a module of its own. */
function modulePart(text, name) {
  const start = text.indexOf('{', text.indexOf(`declare module '${name}'`)) + 1;
  const end = text.indexOf('\n}', start);
  return `${text
    .slice(start, end)
    .trim()
    .replaceAll(/^ {2}/gm, '')
    .replaceAll(/import\('(\.\/[\w-]+)\.ts'\)/g, "import('$1.js')")}\n`;
}
