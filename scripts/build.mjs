// The three ways Phasor is used: dist/npm and dist/npm-* (packages), dist/site (static website), dist/offline (single HTML files).
// `node scripts/build.mjs [npm] [site] [offline]` builds some of them.
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { buildBook } from './offline/book.mjs';
import { buildDemos } from './offline/demos.mjs';
import { buildLab } from './offline/lab.mjs';
import { buildPackages } from './package/package.mjs';
import { root } from './root.mjs';
import { buildWasm } from './wasm/wasm.mjs';

const configFile = join(root, 'vite.config.ts');

async function buildSite() {
  await build({ configFile, logLevel: 'warn' });
}

async function buildOffline() {
  const out = join(root, 'dist/offline');
  await buildLab(out);
  await buildBook(out);
  await buildDemos(out);
}

/** The site has the offline edition to save (web/site-copy/save-offline.ts). */
function addOfflineFiles() {
  const [site, offline] = ['dist/site', 'dist/offline'].map((name) => join(root, name));
  if (existsSync(site) && existsSync(offline)) cpSync(offline, join(site, 'offline'), { recursive: true });
}

export async function buildAll(wanted = []) {
  const wants = (name) => wanted.length === 0 || wanted.includes(name);
  mkdirSync(join(root, 'dist'), { recursive: true });
  await buildWasm();
  if (wants('npm')) await buildPackages();
  if (wants('site')) await buildSite();
  if (wants('offline')) await buildOffline();
  addOfflineFiles();
}

if (process.argv[1] === import.meta.filename) await buildAll(process.argv.slice(2));
