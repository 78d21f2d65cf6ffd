// dist/offline/lab.html: the Lab with another entry. The WebAssembly is inside, the worker starts from a blob, and nothing is fetched.
import { renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { root } from '../cmake.mjs';
import { embeddedWasm } from '../vite/embedded-wasm.mjs';

/** Empties the folder. */
export async function buildLab(outDir) {
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    mode: 'offline',
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
              .replace('<a href="../">Phasor</a>', 'Phasor')
              .replace(' data-root="../"', ' data-edition="offline"')
              .replace('<!-- not loaded -->', ''),
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
