// Attention: Phasor's two files beside a plain JavaScript loop, natively beside Eigen with a full score matrix.
import { Bench } from 'tinybench';
import { attentionLoop } from './attention-loop.mjs';
import { nativeRows } from './native.mjs';

const heads = 8;
const width = 64;
const lengths = [16, 128, 512, 1024];

export const needs = ['npm'];

export async function attentionRows() {
  const { createPhasor } = await import('../../dist/npm/node.js');
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
      rows.push({
        where: 'Node',
        what: task.name,
        length,
        milliseconds,
        gflops: (4 * heads * length * length * width) / milliseconds / 1e6,
      });
    }
  }
  for (const { what, size, milliseconds, counters } of nativeRows('phasor_attention|eigen_full_scores')) {
    rows.push({ where: 'native', what, length: Number(size), milliseconds, gflops: counters['GFLOP/s'] });
  }
  return rows;
}

/** How many times faster than the plain way a row is, of the same place and length. */
function timesPlain(row, rows) {
  const plain = rows.find((other) => other.where === row.where && other.length === row.length && /^(plain|eigen)/.test(other.what));
  return plain && row.gflops ? (plain.milliseconds / row.milliseconds).toFixed(1) : '';
}

export const columns = (rows) => [
  ['where', (row) => row.where],
  ['what', (row) => row.what],
  ['tokens', (row) => row.length],
  ['median ms', (row) => row.milliseconds.toPrecision(3)],
  ['GFLOP/s', (row) => row.gflops?.toFixed(1)],
  ['times the plain way', (row) => timesPlain(row, rows)],
];
