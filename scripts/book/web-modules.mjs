// The sources in web/ that the book is built with, loaded in Node as Vite loads them.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root } from '../root.mjs';
import { plugins } from '../site/source-plugins.mjs';
import { codeMaker } from './code.mjs';
import { coreValues } from './core-values.mjs';
import { diskCache, hashOf } from './disk-cache.mjs';
import { figureMaker } from './figures.mjs';

const data = join(root, 'public/data');

/** The files of public, read from disk. */
export const dataFiles = {
  words: join(data, 'word-vectors.json'),
  rows: join(data, 'word-vectors-64.i8'),
  photographs: join(data, 'photographs.json'),
  models: pathToFileURL(join(root, 'public/models/')),
  trainer: join(root, 'build/wasm/phasor-nn.wasm'),
  get: async (path) => new Response(await readFile(path)),
};

/** What chapters are made with: `modules` is what web/book/node.ts exports, `phasor` an engine of this thread. */
export function meansOfBook(modules, phasor) {
  const means = modules.meansOf(phasor, dataFiles);
  return { modules, phasor, core: coreValues(modules, means), ...figureMaker(modules, means), code: codeMaker() };
}

/** One file of web/book/node.ts and all that it needs, which is kept until a source changes. */
async function bundled() {
  const keep = diskCache('web-modules', hashOf(['web', 'scripts/site', 'public/data', 'package-lock.json', 'build/wasm/glue.mjs']));
  const code = await keep('node', async () => {
    const result = await build({
      configFile: false,
      publicDir: false,
      root,
      logLevel: 'error',
      plugins: plugins(),
      ssr: { noExternal: true },
      build: {
        ssr: join(root, 'web/book/node.ts'),
        write: false,
        target: 'node20',
        minify: false,
        rollupOptions: { external: [/^node:/], output: { codeSplitting: false } },
      },
    });
    return /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]).output[0].code;
  });
  // A file of its own for each content: modules are never read again under one name.
  const path = join(root, `build/book/web-modules-${createHash('sha1').update(code).digest('hex').slice(0, 12)}.mjs`);
  if (!existsSync(path)) await writeFile(path, code);
  return import(path);
}

let loading;
export function loadMeans() {
  loading ??= (async () => {
    const modules = await bundled();
    const phasor = await modules.createPhasor({ variant: 'simd', wasm: await readFile(join(root, 'build/wasm/phasor.wasm')) });
    return meansOfBook(modules, phasor);
  })();
  return loading;
}
