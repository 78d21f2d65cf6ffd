// dist/npm: the package. `node scripts/package/package.mjs engine` builds it from the WebAssembly
// that is there, and leaves figures, which take longest, as they are.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { buildCommonJs } from './commonjs.mjs';
import { buildEngine } from './engine.mjs';
import { buildFigureEntries } from './figure.mjs';
import { writeLicenses } from './licenses.mjs';
import { manifest } from './manifest.mjs';
import { finishTypes } from './types.mjs';

const TYPED = ['index', 'workers', 'inline', 'train', 'worker-file', 'figure', 'anywidget', 'render'];

export async function buildPackage({ hasFigures = true } = {}) {
  const out = join(root, 'dist/npm');
  if (hasFigures) rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await buildEngine(out);
  await buildCommonJs(out);
  // The engine itself has nothing of other packages.
  if (hasFigures) writeLicenses(out, await buildFigureEntries(out));
  else if (!existsSync(join(out, 'third-party.LICENSES.txt'))) writeLicenses(out, {});
  finishTypes(
    out,
    TYPED.filter((name) => existsSync(join(out, `${name}.d.ts`))),
  );
  for (const file of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, file), join(out, file));
  copyFileSync(join(root, 'web/engine/README.md'), join(out, 'README.md'));
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

if (process.argv[1] === import.meta.filename) await buildPackage({ hasFigures: !process.argv.includes('engine') });
