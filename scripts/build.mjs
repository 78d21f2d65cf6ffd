// The three ways Phasor is used: dist/npm (package), dist/site (static website), dist/offline (single HTML files).
// `node scripts/build.mjs [npm] [site] [offline]` builds some of them.
import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { root } from './cmake.mjs';
import { buildPackage } from './npm-package.mjs';
import { embeddedWasm } from './vite/embedded-wasm.mjs';
import { buildWasm } from './wasm.mjs';

const configFile = join(root, 'vite.config.ts');

async function buildSite() {
  await build({ configFile, logLevel: 'warn' });
}

// The same page with another entry: the WebAssembly is inside, the worker starts from a blob, and nothing is fetched.
async function buildOffline() {
  const outDir = join(root, 'dist/offline');
  await build({
    configFile,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      embeddedWasm(),
      viteSingleFile({ removeViteModuleLoader: true }),
      {
        name: 'phasor-offline-entry',
        transformIndexHtml: {
          order: 'pre',
          handler: (html) =>
            html
              .replace('./main.ts', '../offline/main.ts')
              .replaceAll(/<link rel="icon"[^>]*>|<nav class="places".*?<\/nav>/g, '')
              .replace('<a href="../">Phasor</a>', 'Phasor'),
        },
      },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      rollupOptions: { input: join(root, 'web/lab/index.html') },
    },
  });
  renameSync(join(outDir, 'lab/index.html'), join(outDir, 'lab.html'));
  rmdirSync(join(outDir, 'lab'));
}

export async function buildAll(wanted = []) {
  const wants = (name) => wanted.length === 0 || wanted.includes(name);
  mkdirSync(join(root, 'dist'), { recursive: true });
  await buildWasm();
  if (wants('npm')) await buildPackage();
  if (wants('site')) await buildSite();
  if (wants('offline')) await buildOffline();
}

if (process.argv[1] === import.meta.filename) await buildAll(process.argv.slice(2));
