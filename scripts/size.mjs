// `npm run size`: raw, gzip and brotli size of what ships, with the aims, and limits that it must not pass (exit code 1): where an aim is
// not reached, the limit keeps what there is from growing further.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { root } from './cmake.mjs';

const kB = 1000;
/** Files of a folder whose names match, compressed one by one as a server does. */
function sizes(folder, pattern) {
  const files = readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((name) => pattern.test(name));
  const total = { raw: 0, gzip: 0, brotli: 0 };
  for (const name of files) {
    const bytes = readFileSync(join(root, folder, name));
    total.raw += bytes.length;
    total.gzip += gzipSync(bytes, { level: 9 }).length;
    total.brotli += brotliCompressSync(bytes).length;
  }
  return total;
}

/** The files of the site that the page of the Lab names, and those that every visit needs besides. */
function firstFiles() {
  const html = readFileSync(join(root, 'dist/site/lab/index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name);
  const needed = readdirSync(join(root, 'dist/site/assets')).filter((name) =>
    /^(phasor-simd-.*\.wasm|source-serif-4-basic-.*\.woff2)$/.test(name),
  );
  return new Set(['lab/index.html', ...named, ...needed.map((name) => `assets/${name}`)]);
}

/** The modules of dist/npm that one imports at once, with itself. */
function reached(entry) {
  const found = new Set([entry]);
  for (const name of found) {
    const text = readFileSync(join(root, 'dist/npm', name), 'utf8');
    for (const [, other] of text.matchAll(/from ?'\.\/([\w.-]+)'/g)) found.add(other);
  }
  return found;
}
const importedBy = (entry) => ({ test: (name) => reached(entry).has(name) });

const rows = [
  { what: 'WebAssembly, SIMD', folder: 'dist/npm', pattern: /^phasor-simd\.wasm$/, aim: 96 * kB, limit: 96 * kB },
  { what: 'WebAssembly, scalar', folder: 'dist/npm', pattern: /^phasor-scalar\.wasm$/, aim: 96 * kB, limit: 96 * kB },
  // As it is served without a bundler; minified in one file it is a third less.
  { what: 'phasor, createPhasor alone', folder: 'dist/npm', pattern: importedBy('index.js'), aim: 25 * kB, limit: 32 * kB },
  { what: 'phasor/worker', folder: 'dist/npm', pattern: importedBy('workers.js') },
  { what: 'phasor/inline', folder: 'dist/npm', pattern: importedBy('inline.js') },
  { what: 'phasor/figure, one file', folder: 'dist/npm', pattern: /^figure\.js$/, aim: 120 * kB, limit: 121 * kB },
  { what: 'phasor/figure, programs, after the first picture', folder: 'dist/npm', pattern: /^figure-programs\.js$/ },
  { what: 'phasor/figure, photographs, when patches need them', folder: 'dist/npm', pattern: /^photographs\.json$/ },
  { what: 'phasor/render, for Node', folder: 'dist/npm', pattern: /^render\.js$/ },
  // What a browser with SIMD fetches before the first picture: the page, what its head names, the engine and the letters it is written with.
  {
    what: 'Lab until its first picture',
    folder: 'dist/site',
    pattern: { test: (name) => firstFiles().has(name) },
    aim: 220 * kB,
    limit: 220 * kB,
  },
  { what: 'Word vectors, when a word needs them', folder: 'dist/site', pattern: /^data\/word-vectors/ },
  { what: 'Offline lab, one file', folder: 'dist/offline', pattern: /^lab\.html$/ },
];

let over = 0;
console.log('| what | raw kB | gzip kB | brotli kB | aim, gzip kB | limit, gzip kB |\n|---|--:|--:|--:|--:|--:|');
for (const { what, folder, pattern, aim, limit } of rows) {
  if (!existsSync(join(root, folder))) {
    console.error(`${folder} is missing; run npm run build first`);
    process.exit(1);
  }
  const { raw, gzip, brotli } = sizes(folder, pattern);
  const cell = (bytes) => (bytes / kB).toFixed(1);
  console.log(`| ${what} | ${cell(raw)} | ${cell(gzip)} | ${cell(brotli)} | ${aim ? cell(aim) : ''} | ${limit ? cell(limit) : ''} |`);
  if (limit && gzip > limit) {
    console.error(`${what}: ${cell(gzip)} kB gzip is above the limit of ${cell(limit)} kB`);
    over += 1;
  }
}
process.exit(over ? 1 : 0);
