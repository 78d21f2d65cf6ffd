// Builds dist/npm-anywidget, the package phasor-anywidget: figures for notebooks as one file that contains WebAssembly, word vectors and photographs.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { embeddedWasm } from '../site/embedded-wasm.mjs';
import { bundle, ONE_FILE, plugins } from './bundle.mjs';
import { writeLicenses } from './licenses.mjs';
import { emptyFolder, writePackage } from './manifest.mjs';

export async function buildAnywidget() {
  const out = emptyFolder('dist/npm-anywidget');
  const widget = {
    plugins: [...plugins(), embeddedWasm()],
    build: { assetsInlineLimit: Number.MAX_SAFE_INTEGER, rollupOptions: ONE_FILE },
  };
  writeLicenses(out, await bundle(out, 'anywidget', widget));
  // Node has no custom elements, so there the widget draws nothing.
  writeFileSync(join(out, 'server.js'), 'export default { render: () => () => {} };\n');
  copyFileSync(join(root, 'web/package/anywidget-types.ts'), join(out, 'anywidget.d.ts'));
  copyFileSync(join(root, 'public/data/NOTICE.md'), join(out, 'data.NOTICE.md'));
  writePackage(out, {
    name: 'phasor-anywidget',
    description: 'Figures of Phasor in notebooks: one file for the field _esm of anywidget',
    keywords: ['phasor', 'anywidget', 'Jupyter', 'attention', 'positional encoding'],
    type: 'module',
    // The import defines the element.
    sideEffects: ['./anywidget.js'],
    exports: {
      '.': { types: './anywidget.d.ts', node: './server.js', default: './anywidget.js' },
      './anywidget.js': './anywidget.js',
    },
    engines: { node: '>=20.19' },
  });
}
