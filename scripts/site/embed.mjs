// embed/ of the site: phasor/figure with the files that it fetches, for pages of others. They are those of the package but for the source maps.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { isFigureScript } from './figure-scripts.mjs';

const PACKAGE = join(root, 'dist/npm');
const FILES = [
  'figure.js',
  'phasor-simd.wasm',
  'phasor-scalar.wasm',
  'phasor-nn-simd.wasm',
  'phasor-nn-scalar.wasm',
  'word-vectors.json',
  'word-vectors-64.i8',
  'photographs.json',
  'third-party.LICENSES.txt',
];

/** The index of the models of the site, whose files are those of the site itself. */
function modelsOfSite() {
  return { folder: '../../models/', ...JSON.parse(readFileSync(join(root, 'public/models/index.json'), 'utf8')) };
}

/** @returns {import('vite').Plugin} */
export function embed() {
  return {
    name: 'phasor-embed',
    enforce: 'post',
    generateBundle(_, bundle) {
      if (!bundle['book/index.html']) return;
      const missing = FILES.find((name) => !existsSync(join(PACKAGE, name)));
      if (missing) this.error(`dist/npm/${missing} is missing: build the package before the site, as npm run build does`);
      for (const name of new Set([...FILES, ...readdirSync(PACKAGE).filter(isFigureScript)])) {
        // Source maps stay with the package.
        const source = readFileSync(join(PACKAGE, name));
        const text = name.endsWith('.js') ? source.toString().replace(/\/\/# sourceMappingURL=.*\n?$/, '') : source;
        this.emitFile({ type: 'asset', fileName: `embed/${name}`, source: text });
      }
      this.emitFile({ type: 'asset', fileName: 'embed/models/index.json', source: JSON.stringify(modelsOfSite()) });
    },
  };
}
