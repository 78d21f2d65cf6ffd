// `npm run size`: builds dist unless it is current, and prints the raw, gzip and brotli sizes of shipped files, with aims and limits (exit code 1 if
// a limit is exceeded). If an aim is not reached, the limit prevents further growth. `-- --write` writes the table of docs/performance.md, which must
// be close to it; `-- --gzip` skips brotli, which takes most of the time and has no limits.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';
import { readHtml } from '../book/html.mjs';
import { buildUnlessCurrent } from '../build.mjs';
import { root } from '../root.mjs';
import { firstFigures, isFigureScript } from '../site/figure-scripts.mjs';
import { demoNames } from '../standalone/demo-names.mjs';

const kB = 1000;
/** @typedef {{ raw: number, gzip: number, brotli: number | undefined }} Sizes in bytes; `brotli`: undefined if it is not measured */
/** @typedef {{ test(file: string): boolean }} Pattern of file names */

/**
 * The total compressed size of files. Compression runs in separate threads.
 * @param {Uint8Array[]} files
 * @param {(bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>} compress
 */
async function bytesOf(files, compress) {
  const packed = await Promise.all(files.map((bytes) => compress(bytes)));
  return packed.reduce((total, { length }) => total + length, 0);
}

const hasBrotli = !process.argv.includes('--gzip');

/**
 * Sizes of files compressed one by one, as a server does; with brotli only if servers send them.
 * @param {Uint8Array[]} files
 * @returns {Promise<Sizes>}
 */
async function packed(files, isSent = true) {
  const [raw, gzipped, brotlied] = await Promise.all([
    bytesOf(files, (bytes) => bytes),
    bytesOf(files, (bytes) => promisify(gzip)(bytes, { level: 9 })),
    isSent && hasBrotli ? bytesOf(files, (bytes) => promisify(brotliCompress)(bytes)) : undefined,
  ]);
  return { raw, gzip: gzipped, brotli: brotlied };
}

/** The files of a folder whose names match. @param {string} folder @param {Pattern} pattern @param {boolean} isSent */
function sizes(folder, pattern, isSent) {
  const names = readdirSync(join(root, folder), { recursive: true }).map(String);
  const matching = names.filter((name) => pattern.test(name));
  return packed(
    matching.map((name) => readFileSync(join(root, folder, name))),
    isSent,
  );
}

/** The files that the page of the Lab names, and those that every visit loads. */
function firstFiles() {
  const html = readFileSync(join(root, 'dist/site/lab/index.html'), 'utf8');
  const named = readHtml(html).elements.flatMap(({ attributes: { src, href } }) => {
    const [, name] = /^\.\.\/(assets\/.+\.(?:js|css))$/.exec(src ?? href ?? '') ?? [];
    return name === undefined ? [] : [name];
  });
  const needed = readdirSync(join(root, 'dist/site/assets')).filter((name) =>
    /^(phasor-(?!nn|model).*\.wasm|source-serif-4-basic-.*\.woff2)$/.test(name),
  );
  return new Set(['lab/index.html', ...named, ...needed.map((name) => `assets/${name}`)]);
}

/** The scripts for a first figure, of the kind with the largest ones. */
async function largestFigure() {
  const folder = join(root, 'dist/npm');
  const kinds = firstFigures(folder);
  const names = [...new Set(kinds.flatMap(([, scripts]) => scripts))];
  const sizesOf = await Promise.all(names.map((name) => promisify(gzip)(readFileSync(join(folder, name)), { level: 9 })));
  const bytes = new Map(names.map((name, at) => [name, sizesOf[at]?.length ?? 0]));
  /** @param {string[]} scripts */
  const sum = (scripts) => scripts.reduce((total, name) => total + (bytes.get(name) ?? 0), 0);
  const [, scripts] = kinds.reduce((a, b) => (sum(a[1]) > sum(b[1]) ? a : b));
  return scripts;
}

/** A minified bundle of one function of an entry. @param {string} entry @param {string} name */
async function bundled(entry, name) {
  const id = '\0program';
  const result = await build({
    configFile: false,
    root,
    logLevel: 'silent',
    plugins: [
      {
        name: 'phasor-program',
        resolveId: (source) => (source === id ? id : undefined),
        load: (source) =>
          source === id ? `import { ${name} } from ${JSON.stringify(join(root, 'dist/npm', entry))}; ${name}();` : undefined,
      },
    ],
    build: { write: false, target: 'es2022', assetsInlineLimit: 0, rollupOptions: { input: id, output: { codeSplitting: false } } },
  });
  const { output } = /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]);
  return packed([Buffer.from(output[0].code)]);
}

/**
 * A package as published: `raw` is unpacked, and `gzip` is the tarball.
 * @param {string} folder
 * @returns {Promise<Sizes>}
 */
async function asPackage(folder) {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd: join(root, folder) });
  const [{ unpackedSize, size }] = JSON.parse(stdout);
  return { raw: unpackedSize, gzip: size, brotli: undefined };
}

await buildUnlessCurrent();
const largest = await largestFigure();

/**
 * The measured items: files of a folder, a bundle of one function of an entry, or the folder as a package of npm.
 * @type {{ what: string, folder: string, pattern?: Pattern, program?: [entry: string, name: string], isPackage?: boolean, aim?: number, limit?:
 * number, rawLimit?: number }[]}
 */
const rows = [
  { what: 'phasor.wasm', folder: 'dist/npm', pattern: /^phasor\.wasm$/, aim: 110 * kB, limit: 212 * kB },
  { what: 'phasor-nn.wasm, with training', folder: 'dist/npm', pattern: /^phasor-nn\.wasm$/, aim: 260 * kB, limit: 280 * kB },
  {
    what: 'phasor: createPhasor alone, in a bundle',
    folder: 'dist/npm',
    program: ['index.js', 'createPhasor'],
    aim: 16 * kB,
    limit: 17.2 * kB,
  },
  { what: 'phasor/worker: createPhasorWorker', folder: 'dist/npm', program: ['workers.js', 'createPhasorWorker'] },
  { what: 'phasor/train: createTrainer', folder: 'dist/npm', program: ['train.js', 'createTrainer'] },
  { what: 'phasor-model.wasm, published models', folder: 'dist/npm', pattern: /^phasor-model\.wasm$/, limit: 240 * kB },
  { what: 'phasor/model: openModel', folder: 'dist/npm', program: ['model.js', 'openModel'] },
  { what: 'phasor/inline: createPhasor', folder: 'dist/npm', program: ['inline.js', 'createPhasor'] },
  {
    what: 'phasor/figure, until the first figure of the largest kind',
    folder: 'dist/npm',
    pattern: { test: (name) => largest.includes(name) },
    aim: 75 * kB,
    limit: 91 * kB,
  },
  { what: 'phasor/figure, all kinds and programs', folder: 'dist/npm', pattern: { test: isFigureScript } },
  { what: 'phasor/figure, photographs, when patches need them', folder: 'dist/npm', pattern: /^photographs\.json$/ },
  { what: 'phasor/render, for Node', folder: 'dist/npm', pattern: /^render\.js$/ },
  { what: 'Package phasor, unpacked and packed', folder: 'dist/npm', isPackage: true, limit: 2390 * kB, rawLimit: 6460 * kB },
  { what: 'Package phasor-models, unpacked and packed', folder: 'dist/npm-models', isPackage: true },
  { what: 'Package phasor-anywidget, unpacked and packed', folder: 'dist/npm-anywidget', isPackage: true },
  { what: 'Wheel phasor, for notebooks', folder: 'dist/python', pattern: /\.whl$/, rawLimit: 1098 * kB },
  // The files that a browser fetches before the first picture: the page, its preloads, the engine and fonts.
  {
    what: 'Lab until its first picture',
    folder: 'dist/site',
    pattern: { test: (name) => firstFiles().has(name) },
    aim: 220 * kB,
    limit: 334 * kB,
  },
  { what: 'Word vectors, when a word needs them', folder: 'dist/site', pattern: /^data\/word-vectors/ },
  { what: 'Offline lab, one file', folder: 'dist/offline', pattern: /^lab\.html$/ },
  { what: 'Offline book, one file', folder: 'dist/offline', pattern: /^book\.html$/ },
  // These are copied and sent as they are, so the raw size matters.
  ...demoNames().map((name) => ({
    what: `Offline demo, ${name}.html`,
    folder: 'dist/offline',
    pattern: { test: (/** @type {string} */ file) => file === `${name}.html` },
    // With training the engine is larger, and recordings are included; with a language model, its weights and the program that runs it.
    rawLimit: ({ training: 650, 'your-model': 4240 }[name] ?? 618) * kB,
  })),
];

let over = 0;
/** @type {{ what: string, sizes: (number | undefined)[] }[]} */
const measured = [];
console.log('| what | raw kB | gzip kB | brotli kB | aim, gzip kB | limit, gzip kB | limit, raw kB |\n|---|--:|--:|--:|--:|--:|--:|');
/** @param {(typeof rows)[number]} row */
const measure = ({ folder, pattern = /^$/, program, isPackage = false }) => {
  if (isPackage) return asPackage(folder);
  return program ? bundled(...program) : sizes(folder, pattern, !['dist/offline', 'dist/python'].includes(folder));
};
// In parallel, to use all processors.
const all = await Promise.all(rows.map(async (row) => ({ row, found: await measure(row) })));
for (const { row, found } of all) {
  const { what, aim, limit, rawLimit } = row;
  const { raw, gzip: gzipped, brotli } = found;
  /** @param {number | undefined} bytes */
  const cell = (bytes) => (bytes === undefined ? '' : (bytes / kB).toFixed(1));
  console.log(`| ${[what, cell(raw), cell(gzipped), cell(brotli), cell(aim), cell(limit), cell(rawLimit)].join(' | ')} |`);
  measured.push({ what, sizes: [raw, gzipped, brotli] });
  const exceeded = [
    { bytes: gzipped, most: limit, unit: 'kB gzip' },
    { bytes: raw, most: rawLimit, unit: 'kB' },
  ].filter(({ bytes, most }) => most !== undefined && bytes > most);
  for (const { bytes, most, unit } of exceeded) console.error(`${what}: ${cell(bytes)} ${unit} is above the limit of ${cell(most)} kB`);
  over += exceeded.length;
  // A missing file would count as small.
  if (raw === 0) {
    console.error(`${what}: there is no such file`);
    over += 1;
  }
}

/** The table of the document: from its head to the empty line. */
const HEAD = '| what | raw kB | gzip kB | brotli kB |\n|---|--:|--:|--:|\n';
/** The tolerance between the document and a measurement: the glue of two versions of Emscripten differs by 9%. */
const NEAR = 0.15;
const path = join(root, 'docs/performance.md');
const document = readFileSync(path, 'utf8');
const start = document.indexOf(HEAD);
const end = document.indexOf('\n\n', start);
/** @param {number | undefined} bytes */
const inKB = (bytes) => (bytes === undefined ? '' : (bytes / kB).toFixed(1));
if (process.argv.includes('--write')) {
  const table = HEAD + measured.map(({ what, sizes: all }) => `| ${[what, ...all.map(inKB)].join(' | ')} |`).join('\n');
  writeFileSync(path, document.slice(0, start) + table + document.slice(end));
} else {
  const documented = new Map(
    document
      .slice(start + HEAD.length, end)
      .split('\n')
      .map((row) => row.split('|').map((cell) => cell.trim()))
      .map(([, what, ...cells]) => [what, cells.slice(0, 3).map(Number)]),
  );
  /** @param {number | undefined} bytes @param {number | undefined} number */
  const isNear = (bytes, number = Number.NaN) => bytes === undefined || Math.abs(number - bytes / kB) <= Math.max(0.3, (NEAR * bytes) / kB);
  const old = measured.filter(({ what, sizes: all }) => !all.every((bytes, at) => isNear(bytes, documented.get(what)?.[at])));
  for (const { what } of old) console.error(`${what}: docs/performance.md has other sizes; run npm run size -- --write`);
  over += old.length;
}
process.exit(over ? 1 : 0);
