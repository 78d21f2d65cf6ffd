// Builds dist/offline/lab.html, the Lab with another entry. The WebAssembly is embedded, the worker starts from a blob, and nothing is fetched.
import { renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { readHtml } from '../book/html.mjs';
import { root } from '../root.mjs';
import { embeddedWasm } from '../site/embedded-wasm.mjs';

/** The page of the Lab with another entry, and without links to other pages. @param {string} html */
function alone(html) {
  const page = readHtml(html);
  for (const element of page.elements) {
    const { rel, src, href } = element.attributes;
    if (element.name === 'html') {
      element.set('data-root', undefined);
      element.set('data-edition', 'offline');
    }
    if (src === './main.ts') element.set('src', '../standalone/main.ts');
    if (rel === 'icon' || element.classes.includes('places')) element.replace('');
    if (element.name === 'a' && href === '../') element.replace(element.inner);
  }
  return page.written();
}

/** Builds the Lab into a folder, which is emptied first. @param {string} outDir */
export async function buildLab(outDir) {
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    mode: 'offline',
    publicDir: false,
    plugins: [
      embeddedWasm({ trains: true }),
      viteSingleFile({ removeViteModuleLoader: true }),
      {
        name: 'phasor-offline-entry',
        transformIndexHtml: {
          order: 'pre',
          handler: (html) => alone(html).replace('<!-- not loaded -->', ''),
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
