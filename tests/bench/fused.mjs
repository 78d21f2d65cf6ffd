// Fused multiply-adds: attention of the variants 'relaxed' and 'simd' beside ONNX Runtime Web, taking turns; processor time in Node, wall
// time in Chromium; short calls also with a reused output. `npm run bench -- fused --save`, then
// `node tests/bench/machine-tables.mjs --write`, writes the rows of this machine into docs/performance.md.
import * as ort from 'onnxruntime-web';
import { chromiumRowsOf } from './attention-chromium.mjs';
import { fusedRows as rowsOf } from './attention-rows.mjs';

const sizes = [16, 32, 64, 128, 512, 1024, 4096];

export const needs = ['npm'];

export async function fusedRows() {
  ort.env.wasm.numThreads = 1;
  const rows = (await rowsOf({ package: await import('../../dist/npm/node.js'), ort }, { sizes })).map((row) => ({
    where: 'Node',
    ...row,
  }));
  const { version, rows: inPage } = await chromiumRowsOf('fusedRows', { sizes });
  return [...rows, ...inPage.map((row) => ({ where: `Chromium ${version.split('.')[0]}`, ...row }))];
}

export const columns = () => [
  ['where', (row) => row.where],
  ['what', (row) => row.what],
  ['tokens', (row) => row.tokens],
  ['mask', (row) => row.tokens && (row.causal ? 'causal' : 'none')],
  ['ms', (row) => (row.fails ? `fails: ${row.fails}` : row.milliseconds?.toPrecision(3))],
  ['ms of the processor', (row) => row.cpu?.toPrecision(3)],
  ['GFLOP/s', (row) => row.gflops?.toFixed(1)],
  ['% of the peak', (row) => row.share && (100 * row.share).toFixed(0)],
  ['largest difference', (row) => row.difference?.toExponential(0)],
];
