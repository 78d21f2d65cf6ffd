// The entries phasor/figure, phasor/anywidget and phasor/render of the package: each one file with all that it needs, which finds the WebAssembly,
// the word list and photographs beside it, as the engine does; phasor/anywidget has them inside. Figures as programs are a second file of phasor/figure.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../root.mjs';
import { colorTables } from '../site/color-tables.mjs';
import { embeddedWasm } from '../site/embedded-wasm.mjs';
import { formulas } from '../site/formulas.mjs';
import { laterInPackage, laterPrograms, PROGRAMS, programsOnly } from '../site/later-programs.mjs';
import { starterVectors } from '../site/starter-vectors.mjs';
import { forFigures, ownWasm, workerSourcePlugin } from '../site/worker-source.mjs';
import { namedSources } from './engine.mjs';
import { packagesIn } from './licenses.mjs';

const plugins = () => [
  workerSourcePlugin({ summaries: false, figures: true }),
  ownWasm(),
  colorTables(),
  starterVectors({ count: 1 }),
  formulas(),
];

/** In Node the engine is the one that the package has already, so that its errors are of one class. */
const ownEngine = () => ({
  name: 'phasor-own-engine',
  enforce: 'pre',
  resolveId: (source) => (/\/engine\/(node|index)\.ts$/.test(source) ? { id: './node.js', external: true } : undefined),
});

/** One file of an entry, with its source map. */
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
      // Terser makes 2 % less of it than the built-in one, and gzip less of small functions that stay functions. Getters are not pure: reading a signal is what subscribes to it.
      minify: 'terser',
      terserOptions: { module: true, ecma: 2022, compress: { passes: 4, ecma: 2022, pure_getters: false, inline: 1, sequences: false } },
      assetsInlineLimit: 0,
      ...extra.build,
      rollupOptions: { output: { codeSplitting: false }, ...extra.build?.rollupOptions },
      lib: { entry: join(root, 'web/package', `${entry}.ts`), formats: [format], fileName: entry },
    },
  });
  const files = /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]).output.filter((file) => file.type === 'chunk');
  if (files.length !== 1) throw new Error(`${entry} is ${files.length} files: ${files.map(({ fileName }) => fileName).join(', ')}`);
  const strange = [...files[0].imports, ...files[0].dynamicImports].filter(
    (name) => !['./node.js', PROGRAMS].includes(name) && !name.startsWith('node:'),
  );
  if (strange.length > 0) throw new Error(`${entry} wants ${strange.join(', ')}, which nobody has installed`);
  // Bundlers of others look for this form, without the remark for ours. Its length stays, for the source map.
  const form = /new URL\(\s*(?:\/\*.*?\*\/\s*)?["'`](\.\/[\w.-]+)["'`]/g;
  const code = files[0].code.replaceAll(form, (found, name) => `new URL('${name}'`.padEnd(found.length));
  return { code, map: namedSources(JSON.stringify(files[0].map)), packages: packagesIn(files[0].modules) };
}

/** Types are written by hand, so that nobody needs Lit to read them. */
const types = (path) => readFileSync(join(root, path), 'utf8').replace(/'(\.\.\/)+engine\/index\.ts'/g, "'./index.js'");

/** In CommonJS the engine of the package is another file. */
const required = (code) => code.replaceAll('./node.js', './node.cjs');

/** @returns the packages that are inside of each script */
export async function buildFigureEntries(out) {
  const write = (name, text) => writeFileSync(join(out, name), text);
  /** @type {Record<string, string[]>} */
  const inside = {};
  const writeScript = (name, { code, map, packages }) => {
    write(name, `${code.trimEnd()}\n//# sourceMappingURL=${name}.map\n`);
    write(`${name}.map`, map);
    inside[name] = packages;
  };
  writeScript('figure.js', await bundle('figure', { plugins: [laterPrograms(), laterInPackage(), forFigures(), ...plugins()] }));
  writeScript(
    'figure-programs.js',
    await bundle('figure-programs', {
      plugins: [programsOnly(), ...plugins()],
      build: { rollupOptions: { treeshake: { moduleSideEffects: false } } },
    }),
  );
  for (const end of ['js', 'cjs']) write(`figure-server.${end}`, end === 'js' ? 'export {};\n' : '');
  write('figure.d.ts', types('web/figure/contract/element-types.ts'));
  writeScript(
    'anywidget.js',
    await bundle('anywidget', {
      plugins: [
        workerSourcePlugin({ figures: true }),
        forFigures(),
        ownWasm(),
        embeddedWasm(),
        colorTables(),
        starterVectors({ count: 1 }),
        formulas(),
      ],
      build: { assetsInlineLimit: Number.MAX_SAFE_INTEGER },
    }),
  );
  // On a server there is nothing to draw in.
  const server = '{ render: () => () => {} }';
  write('anywidget-server.js', `export default ${server};\n`);
  write('anywidget-server.cjs', `Object.defineProperty(exports, '__esModule', { value: true });\nexports.default = ${server};\n`);
  write('anywidget.d.ts', types('web/package/anywidget-types.ts'));
  const node = () => ({
    plugins: [ownEngine(), ...plugins()],
    ssr: { noExternal: true },
    // Nobody waits for its bytes: the minifier that is eight times as fast will do.
    build: { ssr: true, minify: true, rollupOptions: { external: [/^node:/] } },
  });
  writeScript('render.js', await bundle('render', node()));
  const commonJs = await bundle('render', node(), 'cjs');
  writeScript('render.cjs', { ...commonJs, code: required(commonJs.code) });
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
  return inside;
}
