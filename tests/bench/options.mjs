// Relative cost of options of attention: processor time with the option over that without it; remaps and forget gates are compared with RoPE. Heads of 64
// channels, causal, SIMD in Node. The two tasks of a row take turns in one process. Other load slows both tasks of a short round alike, so the result is the
// median of the quotients of the rounds. RoPE beside itself shows the noise.
import { quotients } from './rounds.mjs';

const width = 64;
const sizes = [
  { tokens: 1024, heads: 8 },
  { tokens: 4096, heads: 2 },
];

export const needs = ['npm'];

const remap = (kind, fields) => ({ encoding: { id: 'rope', remap: kind, ...fields } });

/** Fields of the request, each with the fields of the baseline, `over`. */
function forms(tokens, heads) {
  const [rope, weight] = [{ encoding: 'rope' }, new Float32Array(width).fill(1)];
  const logGates = { shape: [heads, tokens], data: new Float32Array(heads * tokens).fill(-0.01) };
  return [
    { what: 'the same (noise)', fields: rope, over: rope },
    { what: 'sinks', fields: { sinks: new Float32Array(heads) }, over: {} },
    // Scores are standard normal; with a scale 40 times as large, half of them exceed half of the cap.
    { what: 'softcap', fields: { softcap: 50 }, over: {} },
    { what: 'softcap, large scores', fields: { softcap: 50, scale: 5 }, over: { scale: 5 } },
    { what: 'qk_norm', fields: { qkNorm: { norm: 'rms', qWeight: weight, kWeight: weight } }, over: {} },
    { what: 'forgetting', fields: { encoding: 'forgetting', tokenTensors: { log_gates: logGates } }, over: rope },
    { what: 'self_extend', fields: remap('self_extend', { window: 256, group: 4 }), over: rope },
    { what: 'rerope', fields: remap('rerope', { window: 256 }), over: rope },
    { what: 'leaky_rerope', fields: remap('leaky_rerope', { window: 256 }), over: rope },
    { what: 'dual_chunk', fields: remap('dual_chunk', { chunk: 512, max_position: 767 }), over: rope },
  ];
}

export async function optionsRows() {
  const { createPhasor } = await import('../../dist/npm/node.js');
  const phasor = await createPhasor({ variant: 'simd' });
  const rows = [];
  for (const { tokens, heads } of sizes) {
    const [q, k, v] = [1, 2, 3].map((seed) => phasor.randomNormal({ seed, shape: [heads, tokens, width] }));
    const run = (fields) => () => phasor.attention({ q, k, v, mask: 'causal', ...fields });
    for (const { what, fields, over } of forms(tokens, heads)) {
      const measured = await quotients(run(over), run(fields));
      rows.push({ where: 'Node', what, over: over.encoding ?? 'none', tokens, heads, ...measured });
    }
  }
  return rows;
}

export const columns = () => [
  ['where', (row) => row.where],
  ['what', (row) => row.what],
  ['encoding of the other', (row) => row.over],
  ['tokens', (row) => row.tokens],
  ['heads', (row) => row.heads],
  ['without, CPU ms', (row) => row.without.toPrecision(3)],
  ['with, CPU ms', (row) => row.cpu.toPrecision(3)],
  ['with, times without', ({ times }) => times.median.toFixed(2)],
  ['quartiles', ({ times }) => `${times.lower.toFixed(2)} to ${times.upper.toFixed(2)}`],
];
