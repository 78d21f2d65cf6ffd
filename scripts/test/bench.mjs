// `npm run bench [-- SUITE ...]`: measures Phasor and comparable libraries in one run; the suites are files of tests/bench. Machines are noisy, so a
// row is the median of interleaved rounds, and ratios are computed within one run. `--json FILE` writes the rows to a file, and `--save` writes them
// to tests/bench/ledger, next to those of other processors.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { processor, saveRun } from '../../tests/bench/ledger.mjs';
import { markdown } from '../../tests/bench/markdown.mjs';
import { buildUnlessCurrent } from '../build.mjs';
import { root } from '../root.mjs';

/** @import { Column, Row } from '../../tests/bench/markdown.mjs' */

/**
 * @typedef {object} Suite
 * @property {string[]} needs the parts of dist that it measures
 * @property {() => Promise<Row[]>} rows
 * @property {(rows: Row[]) => Column<Row>[]} columns
 */

/** The suites: names of files in tests/bench, with their exported functions. @type {Record<string, string>} */
const SUITES = {
  encodings: 'encodingsRows',
  attention: 'attentionRows',
  fused: 'fusedRows',
  layouts: 'layoutsRows',
  'native-attention': 'nativeAttentionRows',
  gemm: 'gemmRows',
  stored: 'storedRows',
  model: 'modelRows',
  handles: 'handlesRows',
  options: 'optionsRows',
  page: 'pageRows',
  doctor: 'doctorRows',
  train: 'trainRows',
  'train-page': 'trainPageRows',
};

/**
 * Imports a suite on demand, because its packages are installed only for benchmarks (scripts/setup).
 * @param {string} name
 * @returns {Promise<Suite>}
 */
async function suiteOf(name) {
  const { [SUITES[name] ?? name]: rows, needs, columns } = await import(join(root, 'tests/bench', `${name}.mjs`));
  return { rows, needs, columns };
}

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' }, save: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !Object.hasOwn(SUITES, name));
if (unknown) {
  console.error(`${unknown} is not a suite. Usage: npm run bench [-- ${Object.keys(SUITES).join(' | ')}] [--json FILE] [--save]`);
  process.exit(2);
}
const requested = positionals.length > 0 ? positionals : Object.keys(SUITES);
/** @type {Map<string, Suite>} */
const suites = new Map();
for (const name of requested) suites.set(name, await suiteOf(name));

const needs = [...new Set([...suites.values()].flatMap((suite) => suite.needs))];
// An empty list would build everything.
if (needs.length > 0) await buildUnlessCurrent(needs);
/** @type {Map<string, Row[]>} */
const measured = new Map();
// Relaxed SIMD is behind a flag in Node 20.
if (requested.some((name) => ['fused', 'train', 'train-page'].includes(name))) setFlagsFromString('--experimental-wasm-relaxed-simd');
// 0 means an idle machine.
const load = (loadavg()[0] ?? 0).toFixed(1);
for (const [name, suite] of suites) {
  const rows = await suite.rows();
  measured.set(name, rows);
  console.log(`\n${name}\n\n${markdown(suite.columns(rows), rows)}`);
}

if (values.json || values.save) {
  /** @param {string} command @param {...string} args */
  const firstLine = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim().split('\n')[0];
  const facts = {
    processor: processor(),
    load,
    date: new Date().toISOString().slice(0, 10),
    commit: firstLine('git', 'rev-parse', '--short', 'HEAD'),
    compiler: firstLine('em++', '--version'),
    engine: `Node ${process.version}, V8 ${process.versions.v8}`,
  };
  /** @param {string} name */
  const rowsOf = (name) => (measured.get(name) ?? []).map((row) => ({ suite: name, ...row }));
  if (values.save) for (const name of requested) saveRun(name, { ...facts, rows: rowsOf(name) });
  // npm changes to the package's folder; the path is relative to the caller's.
  const file = values.json && resolve(process.env.INIT_CWD ?? process.cwd(), values.json);
  if (file) writeFileSync(file, `${JSON.stringify({ ...facts, rows: requested.flatMap(rowsOf) }, null, 1)}\n`);
}
