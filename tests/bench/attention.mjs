// Attention: Phasor beside ONNX Runtime Web, TensorFlow.js and a plain JavaScript loop, in Node and in headless Chromium; natively
// beside Eigen with a full score matrix. 8 heads of 64 channels (1 head at 16384 tokens); engines take turns in one process. Single-threaded
// rows of Node compare processor time, which does not include other programs; all others compare wall time.
import { chromiumRows } from './attention-chromium.mjs';
import { nodeRows } from './attention-node.mjs';
import { nativeRows } from './native.mjs';

const sizes = [16, 32, 64, 128, 512, 1024, 4096, 16384];

export const needs = ['npm'];

export async function attentionRows() {
  const rows = (await nodeRows({ sizes, encodings: [128, 1024, 4096], cold: [128, 1024] })).map((row) => ({ where: 'Node', ...row }));
  const chromium = await chromiumRows({ sizes, encodings: [1024], cold: [1024] });
  for (const { isolated, ...row } of chromium.rows) {
    rows.push({ where: `Chromium ${chromium.version.split('.')[0]}${isolated ? ', isolated' : ''}`, ...row });
  }
  for (const { what, size, milliseconds, counters } of await nativeRows('phasor_attention|eigen_full_scores')) {
    rows.push({ where: 'native', what, encoding: 'none', causal: false, tokens: Number(size), milliseconds, gflops: counters['GFLOP/s'] });
  }
  return rows;
}

const time = (row) => (row.threads ? row.milliseconds : (row.cpu ?? row.milliseconds));
const alike = (row, other) => other.where === row.where && other.tokens === row.tokens && other.causal === row.causal && time(other) > 0;

/** Speed-up of a row of Phasor over the faster form of ONNX Runtime Web with as many threads. */
function timesOnnx(row, rows) {
  if (!row.what.startsWith('Phasor, SIMD') || row.what.includes('first') || !row.milliseconds) return undefined;
  const peers = rows.filter((other) => alike(row, other) && other.what.startsWith('ONNX') && !other.what.includes('first'));
  return peers.length > 0 ? (Math.min(...peers.map(time)) / time(row)).toFixed(2) : undefined;
}

/** Relative speed to the same engine without an encoding, or of the pool to one worker. */
function timesPlain(row, rows) {
  const other = row.what === 'Phasor, pool of 2' ? 'Phasor, one worker' : row.encoding !== 'none' ? row.what : undefined;
  const plain = rows.find(({ what, encoding, ...rest }) => what === other && encoding === 'none' && alike(row, rest));
  return plain && row.milliseconds ? (time(plain) / time(row)).toFixed(2) : undefined;
}

export const columns = (rows) => [
  ['where', (row) => row.where],
  ['what', (row) => row.what],
  ['encoding', (row) => row.encoding],
  ['tokens', (row) => row.tokens],
  ['mask', (row) => row.tokens && (row.causal ? 'causal' : 'none')],
  ['ms', (row) => (row.fails ? `fails: ${row.fails}` : row.milliseconds?.toPrecision(3))],
  ['ms of the processor', (row) => row.cpu?.toPrecision(3)],
  ['first call, ms', (row) => row.first?.toPrecision(3)],
  ['GFLOP/s', (row) => row.gflops?.toFixed(1)],
  ['% of the peak', (row) => row.share && (100 * row.share).toFixed(0)],
  ['times ONNX Runtime Web', (row) => timesOnnx(row, rows)],
  ['times without encoding, or one worker', (row) => timesPlain(row, rows)],
  ['largest difference', (row) => row.difference?.toExponential(0)],
  ['memory, MiB', (row) => row.memory && (row.memory / 2 ** 20).toFixed(0)],
];
