// Encodings: Phasor beside plain JavaScript loops, rotation also beside ONNX Runtime Web's RotaryEmbedding. All take JavaScript arrays and
// return new ones, so the time is that of a whole call; rows with "out" write into an existing array. Results are compared with those of Phasor
// before timing.
import * as ort from 'onnxruntime-web';
import { alibiLoop, ropeLoop, sinusoidalLoop, t5Loop } from './encodings-loops.mjs';
import { nativeRows } from './native.mjs';
import { onnxModel } from './onnx-model.mjs';
import { rounds } from './rounds.mjs';

export const needs = ['npm'];

/** RotaryEmbedding reads cosines and sines from tables, which are computed before timing. */
async function onnxRotation(x) {
  const [heads, tokens, width] = x.shape;
  const pairs = width / 2;
  const model = onnxModel({
    nodes: [
      {
        op: 'RotaryEmbedding',
        domain: 'com.microsoft',
        inputs: ['x', 'positions', 'cosine', 'sine'],
        outputs: ['turned'],
        attributes: { interleaved: 0 },
      },
    ],
    inputs: {
      x: { shape: [1, heads, tokens, width] },
      positions: { type: 'int64', shape: [1, tokens] },
      cosine: { shape: [tokens, pairs] },
      sine: { shape: [tokens, pairs] },
    },
    outputs: { turned: { shape: [1, heads, tokens, width] } },
    opsets: { '': 17, 'com.microsoft': 1 },
  });
  const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'] });
  const table = (f) => {
    const data = Float32Array.from({ length: tokens * pairs }, (_, n) => f(Math.floor(n / pairs) * 10000 ** ((-2 * (n % pairs)) / width)));
    return new ort.Tensor('float32', data, [tokens, pairs]);
  };
  const feeds = {
    x: new ort.Tensor('float32', x.data, [1, heads, tokens, width]),
    positions: new ort.Tensor(
      'int64',
      BigInt64Array.from({ length: tokens }, (_, p) => BigInt(p)),
      [1, tokens],
    ),
    cosine: table(Math.cos),
    sine: table(Math.sin),
  };
  return async () => (await session.run(feeds)).turned.data;
}

/** Tasks of Phasor, each with its plain loop and other peers. */
async function cases(random) {
  const rotation = async (tokens) => {
    const x = random({ seed: 1, shape: [8, tokens, 64] });
    return {
      what: 'rope',
      size: x.shape.join(' x '),
      phasor: (engine, out) => engine.applyRotary(x, { encoding: { id: 'rope', layout: 'half_split' }, out }).data,
      loop: () => ropeLoop(x),
      peers: { 'ONNX Runtime Web': await onnxRotation(x) },
    };
  };
  const bias = (tokens) => {
    const table = random({ seed: 2, shape: [32, 8] });
    const request = { heads: 8, queries: tokens, keys: tokens };
    const size = `8 x ${tokens} x ${tokens}`;
    return [
      {
        what: 'alibi',
        size,
        phasor: (engine, out) => engine.attentionBias({ encoding: 'alibi', ...request, out }).data,
        loop: () => alibiLoop(8, tokens),
      },
      {
        what: 't5',
        size,
        phasor: (engine, out) => engine.attentionBias({ encoding: { id: 't5', table }, ...request, out }).data,
        loop: () => t5Loop(8, tokens, table),
      },
    ];
  };
  const table = (length, width) => ({
    what: 'sinusoidal',
    size: `${length} x ${width}`,
    phasor: (engine, out) => engine.positionTable({ encoding: 'sinusoidal', length, dim: width, out }).data,
    loop: () => sinusoidalLoop(length, width),
  });
  return [table(16384, 512), table(512, 512), await rotation(4096), await rotation(1024), ...bias(512)];
}

/** The largest difference between two arrays, relative to 1 + |expected|. @throws if it exceeds the rounding of float32 */
function largestDifference(name, got, expected) {
  let largest = got.length === expected.length ? 0 : Number.POSITIVE_INFINITY;
  for (let n = 0; n < got.length; n += 1) {
    const difference = Math.abs(got[n] - expected[n]) / (1 + Math.abs(expected[n]));
    if (!(difference <= largest)) largest = difference;
  }
  if (!(largest < 1e-6)) throw new Error(`${name}: differs by ${largest}, so it does not compute the same`);
  return largest;
}

export async function encodingsRows() {
  ort.env.wasm.numThreads = 1;
  const { createPhasor } = await import('../../dist/npm/node.js');
  const engines = [await createPhasor({ variant: 'simd' })];
  const rows = [];
  for (const { what, size, phasor, loop, peers = {} } of await cases(engines[0].randomNormal)) {
    const result = loop();
    const out = new Float32Array(result.length);
    const tasks = [
      ...engines.map((engine) => ({ what: `Phasor ${engine.variant}`, run: () => phasor(engine) })),
      { what: 'Phasor simd, out', run: () => phasor(engines[0], out) },
      { what: 'JavaScript loop', run: loop },
      ...Object.entries(peers).map(([name, run]) => ({ what: name, run })),
      // The lower bound of calls that return a new array.
      { what: 'copy of the result', run: () => result.slice() },
    ];
    let differences = [];
    const check = (results) => {
      differences = results.map((result, index) => largestDifference(`${what} ${size}, ${tasks[index].what}`, result, results[0]));
    };
    for (const [index, row] of (await rounds(tasks, check)).entries()) {
      rows.push({ where: 'Node', encoding: what, size, ...row, difference: differences[index] });
    }
  }
  for (const { what, size, milliseconds } of await nativeRows('sinusoidal_table|rope_rotation')) {
    rows.push({ where: 'native', encoding: what.split('_')[0], size, what: 'Phasor', milliseconds });
  }
  return rows;
}

/** Processor time of the peer `name` relative to a row of Phasor. */
function times(name, row, rows) {
  const peer = rows.find(
    (other) => other.where === row.where && other.encoding === row.encoding && other.size === row.size && other.what === name,
  );
  return peer && row.what.startsWith('Phasor') ? (peer.cpu / row.cpu).toFixed(1) : '';
}

export const columns = (rows) => [
  ['where', (row) => row.where],
  ['encoding', (row) => row.encoding],
  ['size', (row) => row.size],
  ['what', (row) => row.what],
  ['median ms', (row) => row.milliseconds.toPrecision(3)],
  ['median CPU ms', (row) => row.cpu?.toPrecision(3)],
  ['first call ms', (row) => row.first?.toPrecision(3)],
  ['times the loop', (row) => times('JavaScript loop', row, rows)],
  ['times ONNX Runtime', (row) => times('ONNX Runtime Web', row, rows)],
  ['largest difference', (row) => row.difference?.toExponential(1)],
];
