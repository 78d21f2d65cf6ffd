// `npm run bench [-- SUITE ...]`: Phasor beside its peers in one run; the suites are the files of tests/bench. Machines are noisy,
// so a row is the median of rounds that take turns and what is compared is the ratio in the same run. `--json FILE` writes the rows, `--keep` puts them
// into tests/bench/ledger, beside those of other processors.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import * as attention from '../../tests/bench/attention.mjs';
import * as encodings from '../../tests/bench/encodings.mjs';
import * as fused from '../../tests/bench/fused.mjs';
import * as gemm from '../../tests/bench/gemm.mjs';
import * as handles from '../../tests/bench/handles.mjs';
import * as layouts from '../../tests/bench/layouts.mjs';
import { keep, processor } from '../../tests/bench/ledger.mjs';
import { markdown } from '../../tests/bench/markdown.mjs';
import * as options from '../../tests/bench/options.mjs';
import * as page from '../../tests/bench/page.mjs';
import * as train from '../../tests/bench/train.mjs';
import * as trainPage from '../../tests/bench/train-page.mjs';
import { buildUnlessCurrent } from '../build.mjs';
import { root } from '../root.mjs';

/** What is built first, the rows, and how they are shown. */
const suites = {
  encodings: { ...encodings, rows: encodings.encodingsRows },
  attention: { ...attention, rows: attention.attentionRows },
  fused: { ...fused, rows: fused.fusedRows },
  layouts: { ...layouts, rows: layouts.layoutsRows },
  gemm: { ...gemm, rows: gemm.gemmRows },
  handles: { ...handles, rows: handles.handlesRows },
  options: { ...options, rows: options.optionsRows },
  page: { ...page, rows: page.pageRows },
  train: { ...train, rows: train.trainRows },
  'train-page': { ...trainPage, rows: trainPage.trainPageRows },
};

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' }, keep: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in suites));
if (unknown) {
  console.error(`${unknown} is not a suite. Usage: npm run bench [-- ${Object.keys(suites).join(' | ')}] [--json FILE] [--keep]`);
  process.exit(2);
}
const wanted = positionals.length > 0 ? positionals : Object.keys(suites);

const needs = [...new Set(wanted.flatMap((name) => suites[name].needs))];
// Without a name it would build all.
if (needs.length > 0) await buildUnlessCurrent(needs);
const measured = {};
// Relaxed SIMD is behind a flag in Node 20. A load of 0 is a machine that does nothing else.
if (wanted.some((name) => ['fused', 'train', 'train-page'].includes(name))) setFlagsFromString('--experimental-wasm-relaxed-simd');
const load = loadavg()[0].toFixed(1);
for (const name of wanted) {
  const { rows, columns } = suites[name];
  measured[name] = await rows();
  console.log(`\n${name}\n\n${markdown(columns(measured[name]), measured[name])}`);
}

if (values.json || values.keep) {
  const say = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim().split('\n')[0];
  const facts = {
    processor: processor(),
    load,
    date: new Date().toISOString().slice(0, 10),
    commit: say('git', 'rev-parse', '--short', 'HEAD'),
    compiler: say('em++', '--version'),
    engine: `Node ${process.version}, V8 ${process.versions.v8}`,
  };
  const rowsOf = (name) => measured[name].map((row) => ({ suite: name, ...row }));
  if (values.keep) for (const name of wanted) keep(name, { ...facts, rows: rowsOf(name) });
  // npm changes to the package's folder; the path was typed in another one.
  const file = values.json && resolve(process.env.INIT_CWD ?? process.cwd(), values.json);
  if (file) writeFileSync(file, `${JSON.stringify({ ...facts, rows: wanted.flatMap(rowsOf) }, null, 1)}\n`);
}
