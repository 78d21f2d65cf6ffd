// The entries phasor/figure, phasor/anywidget and phasor/render of the package, which find the WebAssembly, the word list, photographs and models beside them, as
// the engine does. phasor/figure is a file for every page, one for each kind of figure, and one for what a reader opens; the others are one file each.
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../root.mjs';
import { embeddedWasm } from '../site/embedded-wasm.mjs';
import { encodingTitles } from '../site/encoding-titles.mjs';
import { formulas } from '../site/formulas.mjs';
import { shippedEncodings } from '../site/shipped-encodings.mjs';
import { starterVectors } from '../site/starter-vectors.mjs';
import { ownWasm, workerSourcePlugin } from '../site/worker-source.mjs';
import { namedSources } from './engine.mjs';
import { figureFile, figureGroups } from './figure-files.mjs';
import { packagesIn } from './licenses.mjs';

const plugins = () => [workerSourcePlugin(), ownWasm(), encodingTitles(), shippedEncodings(), starterVectors({ count: 2 }), formulas()];

/** In Node the engine is the one that the package has already, so that its errors are of one class. */
const ownEngine = () => ({
  name: 'phasor-own-engine',
  enforce: 'pre',
  resolveId: (source) => (/\/engine\/(node|index)\.ts$/.test(source) ? { id: './node.js', external: true } : undefined),
});

/** Bundlers of others look for this form, without the remark for ours. */
const ADDRESS = /new URL\(\s*(?:\/\*.*?\*\/\s*)?["'`](\.\/[\w.-]+)["'`]/g;

/** The same address with as many lines, and as many letters in the last of them, for the source map. */
function plainAddress(found, name) {
  const lines = found.split('\n');
  const begun = lines.length > 1 ? '' : 'new URL(';
  const last = `${begun}'${name}'`.padEnd(lines.at(-1).length);
  return lines.length > 1 ? `new URL(${'\n'.repeat(lines.length - 1)}${last}` : last;
}

/**
 * The files of an entry, each with its source map.
 * @param {string} entry
 * @param {import('vite').UserConfig} extra
 * @param {'es' | 'cjs'} [format]
 * @returns {Promise<{ name: string, code: string, map: string | null, packages: string[] }[]>}
 */
async function bundle(entry, extra, format = 'es') {
  const result = await build({
    configFile: false,
    publicDir: false,
    root,
    logLevel: 'error',
    ...extra,
    build: {
      write: false,
      target: 'es2022',
      sourcemap: 'hidden',
      // Rolldown's own: Vite's leaves white space in libraries, for bundlers that read remarks in it, and here nothing is left to shake out.
      minify: false,
      cssMinify: true,
      assetsInlineLimit: 0,
      ...extra.build,
      lib: {
        entry: join(root, 'web/package', `${entry}.ts`),
        formats: [format],
        fileName: () => `${entry}.${format === 'cjs' ? 'cjs' : 'js'}`,
      },
    },
  });
  const files = /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]).output.filter((file) => file.type === 'chunk');
  const own = files.map(({ fileName }) => fileName);
  for (const { fileName, imports, dynamicImports } of files) {
    const unknown = [...imports, ...dynamicImports].filter(
      (name) => name !== './node.js' && !name.startsWith('node:') && !own.includes(name),
    );
    if (unknown.length > 0) throw new Error(`${fileName} wants ${unknown.join(', ')}, which nobody has installed`);
  }
  return files.map(({ fileName, code, map, modules }) => ({
    name: fileName,
    code: code.replaceAll(ADDRESS, plainAddress),
    map: map && namedSources(JSON.stringify(map)),
    packages: packagesIn(modules),
  }));
}

/** Without the licence lines of packages, which third-party.LICENSES.txt has in full. */
const SMALL = { minify: true, comments: { legal: false } };
/** For an entry that is one file. */
const ONE_FILE = { output: { codeSplitting: false, ...SMALL } };

/** Types are written by hand, so that nobody needs Lit to read them. */
const types = (path) => readFileSync(join(root, path), 'utf8').replace(/'(\.\.\/)+engine\/index\.ts'/g, "'./index.js'");

/** In CommonJS the engine of the package is another file. */
const required = (file) => ({ ...file, code: file.code.replaceAll('./node.js', './node.cjs') });

/** @returns the packages that are inside of each script */
export async function buildFigureEntries(out) {
  const write = (name, text) => writeFileSync(join(out, name), text);
  /** @type {Record<string, string[]>} */
  const inside = {};
  const writeScript = ({ name, code, map, packages }) => {
    write(name, map ? `${code.trimEnd()}\n//# sourceMappingURL=${name}.map\n` : code);
    // A file of nothing but imports has none.
    if (map) write(`${name}.map`, map);
    inside[name] = packages;
  };
  const split = { groups: figureGroups(), includeDependenciesRecursively: false };
  /** @type {import('vite').UserConfig} */
  const figure = {
    plugins: plugins(),
    build: {
      rollupOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: { chunkFileNames: figureFile, codeSplitting: split, ...SMALL },
      },
    },
  };
  (await bundle('figure', figure)).forEach(writeScript);
  for (const end of ['js', 'cjs']) write(`figure-server.${end}`, end === 'js' ? 'export {};\n' : '');
  write('figure.d.ts', types('web/figure/contract/element-types.ts'));
  /** @type {import('vite').UserConfig} */
  const widget = {
    plugins: [...plugins(), embeddedWasm()],
    build: { assetsInlineLimit: Number.MAX_SAFE_INTEGER, rollupOptions: ONE_FILE },
  };
  (await bundle('anywidget', widget)).forEach(writeScript);
  // On a server there is nothing to draw in.
  const server = '{ render: () => () => {} }';
  write('anywidget-server.js', `export default ${server};\n`);
  write('anywidget-server.cjs', `Object.defineProperty(exports, '__esModule', { value: true });\nexports.default = ${server};\n`);
  write('anywidget.d.ts', types('web/package/anywidget-types.ts'));
  /** @returns {import('vite').UserConfig} */
  const node = () => ({
    plugins: [ownEngine(), ...plugins()],
    ssr: { noExternal: true },
    build: { ssr: true, rollupOptions: { external: [/^node:/], ...ONE_FILE } },
  });
  (await bundle('render', node())).forEach(writeScript);
  (await bundle('render', node(), 'cjs')).map(required).forEach(writeScript);
  // What is said about a function stands with the function.
  write(
    'render.d.ts',
    types('web/package/render-types.ts').replaceAll(
      /export type Render(\w+) = (\(.*\)) => (.*);/g,
      'export declare function render$1$2: $3;',
    ),
  );
  for (const file of ['word-vectors.json', 'word-vectors-64.i8', 'photographs.json'])
    copyFileSync(join(root, 'public/data', file), join(out, file));
  copyFileSync(join(root, 'public/data/NOTICE.md'), join(out, 'data.NOTICE.md'));
  cpSync(join(root, 'public/models'), join(out, 'models'), { recursive: true });
  return inside;
}
