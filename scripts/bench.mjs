// `npm run bench`: Phasor beside its peers in one run. Machines are noisy, so a row is the median of interleaved rounds and what
// is compared is the ratio in the same run. `--json FILE` writes the rows.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { Bench } from 'tinybench';
import { attentionLoop } from '../tests/bench/attention-loop.mjs';
import { pageRows } from '../tests/bench/page.mjs';
import { buildAll } from './build.mjs';
import { configureAndBuild, root, run } from './cmake.mjs';

const heads = 8;
const width = 64;
const lengths = [16, 128, 512, 1024];

await buildAll();
const { createPhasor } = await import('../dist/npm/node.js');
const engines = [await createPhasor({ variant: 'simd' }), await createPhasor({ variant: 'scalar' })];
const rows = [];

for (const length of lengths) {
  const shape = [heads, length, width];
  const [q, k, v] = [1, 2, 3].map((seed) => engines[0].gaussian({ seed, shape }));
  const bench = new Bench({ time: 300, iterations: 5, warmupTime: 200, warmupIterations: 2 });
  for (const phasor of engines) {
    for (const encoding of ['none', 'rope', 'alibi']) {
      bench.add(`phasor ${phasor.variant}, ${encoding}`, () => phasor.attention({ q, k, v, encoding }));
    }
  }
  bench.add('plain JavaScript loop, none', () => attentionLoop(q, k, v));
  await bench.run();
  for (const task of bench.tasks) {
    const milliseconds = task.result.latency.p50;
    rows.push({ where: 'Node', what: task.name, length, milliseconds, gflops: (4 * heads * length * length * width) / milliseconds / 1e6 });
  }
}

// Native: phasor against Eigen with a full score matrix.
const folder = configureAndBuild('native-release', { options: { PHASOR_BENCH: 'ON', CMAKE_BUILD_TYPE: 'Release' } });
const native = JSON.parse(
  run(join(folder, 'tests/bench/phasor_bench'), [
    '--benchmark_format=json',
    '--benchmark_repetitions=5',
    '--benchmark_report_aggregates_only=true',
    '--benchmark_enable_random_interleaving=true',
  ]),
);
for (const row of native.benchmarks.filter((entry) => entry.aggregate_name === 'median')) {
  const [what, length] = row.run_name.split('/');
  rows.push({ where: 'native', what, length: Number(length), milliseconds: row.real_time, gflops: row['GFLOP/s'] });
}

rows.push(...(await pageRows(chromium)));

console.log('| where | what | tokens | median ms | GFLOP/s | times the plain way |\n|---|---|--:|--:|--:|--:|');
for (const row of rows) {
  const plain = rows.find((other) => other.where === row.where && other.length === row.length && /^(plain|eigen)/.test(other.what));
  const ratio = plain && row.gflops ? (plain.milliseconds / row.milliseconds).toFixed(1) : '';
  console.log(
    `| ${row.where} | ${row.what} | ${row.length} | ${row.milliseconds.toPrecision(3)} | ${row.gflops?.toFixed(1) ?? ''} | ${ratio} |`,
  );
}

const json = process.argv[process.argv.indexOf('--json') + 1];
if (process.argv.includes('--json')) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const compiler = execFileSync('em++', ['--version'], { encoding: 'utf8' }).split('\n')[0];
  writeFileSync(
    json,
    `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), commit, compiler, node: process.version, rows }, null, 1)}\n`,
  );
}
