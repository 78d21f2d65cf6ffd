// Builds dist: dist/npm, dist/npm-* and dist/python (packages), dist/site (static website), dist/offline (single HTML files).
// `node scripts/build.mjs [npm] [site] [offline]` builds only these parts.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { contentDigest } from './digest.mjs';
import { buildPackages } from './package/package.mjs';
import { root } from './root.mjs';
import { buildBook } from './standalone/book.mjs';
import { buildDemos } from './standalone/demos.mjs';
import { buildLab } from './standalone/lab.mjs';
import { buildWasm } from './wasm/wasm.mjs';

const configFile = join(root, 'vite.config.ts');

/** The inputs of dist. */
const SOURCES = [
  ...['CMakeLists.txt', 'cmake', 'cpp', 'build/wasm', 'web', 'public', 'scripts', 'tests/golden'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'CHANGELOG.md', 'LICENSE'],
];
/** A file with the digest of the sources, written when all of dist is built. */
const stamp = join(root, 'dist/made-from.txt');

/** Whether all of dist exists and was built from the current sources. */
export const isDistCurrent = () =>
  ['npm', 'python', 'site', 'offline'].every((part) => existsSync(join(root, 'dist', part))) &&
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === contentDigest(SOURCES);

async function buildSite() {
  await build({ configFile, logLevel: 'warn' });
}

async function buildOffline() {
  const out = join(root, 'dist/offline');
  await buildLab(out);
  await buildBook(out);
  await buildDemos(out);
}

/** Copies dist/offline into the site, whose pages can save it for offline use (web/service-worker/save-offline.ts). */
function addOfflineFiles() {
  const site = join(root, 'dist/site');
  const offline = join(root, 'dist/offline');
  if (existsSync(site) && existsSync(offline)) cpSync(offline, join(site, 'offline'), { recursive: true });
}

/** Builds these parts of dist, or all of it. @param {string[]} requested some of npm, site and offline; empty: all */
export async function buildAll(requested = []) {
  /** @param {string} name */
  const wants = (name) => requested.length === 0 || requested.includes(name);
  mkdirSync(join(root, 'dist'), { recursive: true });
  rmSync(stamp, { force: true });
  await buildWasm();
  const digest = contentDigest(SOURCES);
  if (wants('npm')) await buildPackages();
  if (wants('site')) await buildSite();
  if (wants('offline')) await buildOffline();
  addOfflineFiles();
  if (requested.length === 0) writeFileSync(stamp, digest);
}

/** Builds these parts of dist, or all of it, unless dist is current. @param {string[]} expected as for `buildAll` */
export async function buildUnlessCurrent(expected = []) {
  await buildWasm();
  if (!isDistCurrent()) await buildAll(expected);
}

if (process.argv[1] === import.meta.filename) await buildAll(process.argv.slice(2));
