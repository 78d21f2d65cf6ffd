// Builds the packages of dist: npm (phasor), npm-models (phasor-models), npm-anywidget (phasor-anywidget) and python (phasor, a wheel).
// `node scripts/package/package.mjs engine` builds only phasor, without its figures, which take longest.
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { buildAnywidget } from './anywidget.mjs';
import { buildCli } from './cli.mjs';
import { buildEngine } from './engine.mjs';
import { exported, writeRequired } from './entries.mjs';
import { buildFigureEntries } from './figure.mjs';
import { writeLicenses } from './licenses.mjs';
import { emptyFolder, writePackage } from './manifest.mjs';
import { buildModels } from './models.mjs';
import { writeTypes } from './types.mjs';
import { buildWheel } from './wheel.mjs';

/** @param {boolean} hasFigures whether phasor/figure and phasor/render are built */
async function buildPhasor(hasFigures) {
  const out = hasFigures ? emptyFolder('dist/npm') : join(root, 'dist/npm');
  mkdirSync(out, { recursive: true });
  await buildEngine(out);
  writeTypes(out);
  writeRequired(out);
  await buildCli(out);
  // The engine contains no code of npm packages.
  if (hasFigures) writeLicenses(out, await buildFigureEntries(out));
  copyFileSync(join(root, 'CHANGELOG.md'), join(out, 'CHANGELOG.md'));
  // Python programs that use the output of `toPyTorch`.
  cpSync(join(root, 'public/reference'), join(out, 'reference'), { recursive: true });
  writePackage(
    out,
    {
      name: 'phasor',
      keywords: ['positional encoding', 'attention', 'transformer', 'RoPE', 'ALiBi', 'WebAssembly', 'SIMD'],
      type: 'module',
      // Importing figure.js defines the element; worker scripts add listeners.
      sideEffects: [
        './figure.js',
        './cli.js',
        ...['worker', 'model-worker'].flatMap((name) => [`./${name}.js`, `./${name}.node.js`, `./${name}.node.cjs`]),
      ],
      bin: { phasor: './cli.js' },
      exports: exported(),
      engines: { node: '^20.19.0 || >=22.12.0' },
    },
    'web/engine/README.md',
  );
}

export async function buildPackages({ hasFigures = true } = {}) {
  await buildPhasor(hasFigures);
  if (!hasFigures) return;
  buildModels();
  await buildAnywidget();
  await buildWheel();
}

if (process.argv[1] === import.meta.filename) await buildPackages({ hasFigures: !process.argv.includes('engine') });
