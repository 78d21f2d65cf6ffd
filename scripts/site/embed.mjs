// Emits embed/ of the site: phasor/figure of the package with the files that it loads, for pages of other sites.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { WASM_FILES } from '../wasm/wasm.mjs';
import { isFigureScript } from './figure-scripts.mjs';
import { modelIndex } from './model-index.mjs';

const PACKAGE = join(root, 'dist/npm');
const DATA = ['word-vectors.json', 'word-vectors-64.i8', 'photographs.json', 'third-party.LICENSES.txt'];
const FILES = ['figure.js', 'worker.js', ...DATA, ...WASM_FILES.filter((name) => name.endsWith('.wasm'))];

/** @returns {import('vite').Plugin} */
export function embed() {
  return {
    name: 'phasor-embed',
    enforce: 'post',
    generateBundle(_, bundle) {
      if (!bundle['book/index.html']) return;
      const missing = FILES.map((name) => join(PACKAGE, name)).find((path) => !existsSync(path));
      if (missing) this.error(`${missing} is missing: build the packages before the site, as npm run build does`);
      const scripts = readdirSync(PACKAGE).filter(isFigureScript);
      for (const name of new Set([...FILES, ...scripts]))
        this.emitFile({ type: 'asset', fileName: `embed/${name}`, source: readFileSync(join(PACKAGE, name)) });
      this.emitFile({ type: 'asset', fileName: 'embed/models.json', source: modelIndex('../models/') });
    },
  };
}
