// dist/npm: the package. `node scripts/npm-package.mjs engine` builds it from the WebAssembly
// that is there, and leaves figures, which take longest, as they are.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './cmake.mjs';
import { buildCommonJs } from './npm-commonjs.mjs';
import { buildEngine } from './npm-engine.mjs';
import { buildFigureEntries } from './npm-figure.mjs';
import { writeLicenses } from './npm-licenses.mjs';
import { manifest } from './npm-manifest.mjs';
import { finishTypes } from './npm-types.mjs';

const TYPED = ['index', 'workers', 'inline', 'worker-file', 'figure', 'anywidget', 'render'];

export async function buildPackage({ hasFigures = true } = {}) {
  const out = join(root, 'dist/npm');
  if (hasFigures) rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await buildEngine(out);
  await buildCommonJs(out);
  if (hasFigures) await buildFigureEntries(out);
  writeLicenses(out);
  finishTypes(
    out,
    TYPED.filter((name) => existsSync(join(out, `${name}.d.ts`))),
  );
  for (const file of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, file), join(out, file));
  copyFileSync(join(root, 'web/engine/README.md'), join(out, 'README.md'));
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

if (process.argv[1] === import.meta.filename) await buildPackage({ hasFigures: !process.argv.includes('engine') });
