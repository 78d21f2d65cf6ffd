// Builds the entries phasor/figure and phasor/render of dist/npm, and the data files that they load. phasor/figure is split into files
// (figure-files.mjs); phasor/render is one file.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../root.mjs';
import { modelIndex } from '../site/model-index.mjs';
import { bundle, ONE_FILE, plugins, SMALL } from './bundle.mjs';
import { figureFile, figureGroups } from './figure-files.mjs';

/** @typedef {import('vite').Plugin} Plugin */

/** Makes the engine and the doctor imports of the package's files, so that error classes exist only once. @returns {Plugin} */
const ownEngine = () => ({
  name: 'phasor-own-engine',
  enforce: 'pre',
  resolveId(source) {
    if (source.endsWith('/engine/doctor/diagnose.ts')) return { id: './doctor/diagnose.js', external: true };
    return /\/engine\/(node|index)\.ts$/.test(source) ? { id: './node.js', external: true } : undefined;
  },
});

/** The minimal size of a recorded training that becomes a separate file. Smaller ones are in both entries, because a request costs more. */
const LARGE = 10_000; // bytes

/**
 * Writes each large recorded training to a separate file, which both entries import.
 * @param {string} out
 * @param {string[]} names receives the names of these files
 * @returns {Plugin}
 */
const ownRecordings = (out, names) => ({
  name: 'phasor-own-recordings',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source !== './recorded.json' || !importer) return undefined;
    const folder = dirname(importer);
    const recorded = JSON.stringify(JSON.parse(readFileSync(join(folder, source), 'utf8')));
    if (recorded.length < LARGE) return undefined;
    const name = `figure-${basename(folder)}-recorded.js`;
    writeFileSync(join(out, name), `export default ${recorded};\n`);
    names.push(name);
    return { id: `./${name}`, external: true };
  },
});

/** Leaves out the export of figures as Python and JavaScript, which only pages use. @returns {Plugin} */
const withoutPrograms = () => ({
  name: 'phasor-without-programs',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === './code.ts' && /\/figure\/kinds\/[\w-]+\/index\.ts$/.test(importer ?? '') ? '\0no-programs' : undefined,
  load: (id) => (id === '\0no-programs' ? 'export {};' : undefined),
});

/** @param {string} out @returns the npm packages whose code is in each script */
export async function buildFigureEntries(out) {
  /** @type {string[]} */
  const recordings = [];
  const split = { groups: figureGroups(), includeDependenciesRecursively: false };
  /** @type {import('vite').UserConfig} */
  const figure = {
    plugins: [ownRecordings(out, recordings), ...plugins()],
    build: {
      rollupOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: { chunkFileNames: figureFile, codeSplitting: split, ...SMALL },
      },
    },
  };
  /** @type {import('vite').UserConfig} */
  const render = {
    plugins: [ownEngine(), ownRecordings(out, recordings), withoutPrograms(), ...plugins()],
    ssr: { noExternal: true },
    build: { ssr: true, rollupOptions: { external: [/^node:/], ...ONE_FILE } },
  };
  const inside = {
    ...(await bundle(out, 'figure', figure, recordings)),
    ...(await bundle(out, 'render', render, ['node.js', 'doctor/diagnose.js', ...recordings])),
  };
  // Node has no custom elements, so there phasor/figure does nothing.
  writeFileSync(join(out, 'figure-server.js'), 'export {};\n');
  for (const file of ['word-vectors.json', 'word-vectors-64.i8', 'photographs.json'])
    copyFileSync(join(root, 'public/data', file), join(out, file));
  copyFileSync(join(root, 'public/data/NOTICE.md'), join(out, 'data.NOTICE.md'));
  writeFileSync(join(out, 'models.json'), modelIndex('../phasor-models/'));
  return inside;
}
