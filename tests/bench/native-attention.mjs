// Native attention beside PyTorch's scaled_dot_product_attention: float32, 8 heads of 64 channels, taking turns. A row has the best time of all turns:
// processor time with one thread and wall time with two, because waiting threads of PyTorch consume processor time.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { run } from '../../scripts/run.mjs';
import { configureAndBuild } from '../../scripts/wasm/cmake.mjs';

export const needs = [];

const TURNS = 7;
const WORK = 4 * 8 * 64; // floating-point operations of a visible pair, in all heads

/** A Python with PyTorch: PHASOR_PYTHON or that of the system. */
const python = () =>
  [process.env.PHASOR_PYTHON, 'python3', '/usr/bin/python3'].find((name) => name && spawnSync(name, ['-c', 'import torch']).status === 0);

/** @typedef {{ tokens: number, causal: boolean, threads: number, clock: number, processor: number }} Timing */

/** @returns {Promise<{ what: string, size: string, threads: number, ms: Record<string, number>, gflops: Record<string, number> }[]>} */
export async function nativeAttentionRows() {
  const options = { PHASOR_BENCH: 'ON', CMAKE_BUILD_TYPE: 'Release' };
  const folder = await configureAndBuild('native-release', { options, targets: ['phasor_attention_bench'] });
  const interpreter = python();
  if (!interpreter) console.error('PyTorch is missing, so there is no peer: pip install torch, or apt-get install python3-torch');
  /** @type {Record<string, () => Timing[]>} */
  const programs = {
    phasor: () => JSON.parse(run(join(folder, 'tests/bench/phasor_attention_bench'), [])),
    ...(interpreter ? { torch: () => JSON.parse(run(interpreter, [join(root, 'tests/bench/native_attention_peer.py')])) } : {}),
  };
  /** @type {Record<string, Timing[][]>} */
  const turns = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let turn = 0; turn < TURNS; turn += 1) for (const [name, program] of Object.entries(programs)) turns[name]?.push(program());
  return (turns.phasor?.[0] ?? []).map(({ tokens, causal, threads }, row) => {
    const best = (/** @type {Timing[][]} */ all) =>
      Math.min(...all.map((timings) => timings[row]?.[threads === 1 ? 'processor' : 'clock'] ?? Number.NaN));
    const ms = Object.fromEntries(Object.entries(turns).map(([name, all]) => [name, best(all)]));
    const pairs = causal ? (tokens * (tokens + 1)) / 2 : tokens ** 2;
    const gflops = Object.fromEntries(Object.entries(ms).map(([name, time]) => [name, (WORK * pairs) / time / 1e6]));
    return { what: causal ? 'causal' : 'no mask', size: String(tokens), threads, ms, gflops };
  });
}

export const columns = (rows) => [
  ['tokens', (row) => row.size],
  ['mask', (row) => row.what],
  ['threads', (row) => String(row.threads)],
  ['Phasor, ms', (row) => row.ms.phasor.toFixed(1)],
  ['GFLOP/s', (row) => row.gflops.phasor.toFixed(0)],
  ...(rows.some(({ ms }) => 'torch' in ms)
    ? [
        ['PyTorch, ms', (row) => row.ms.torch.toFixed(1)],
        ['GFLOP/s of PyTorch', (row) => row.gflops.torch.toFixed(0)],
        ['times PyTorch', (row) => (row.ms.torch / row.ms.phasor).toFixed(2)],
      ]
    : []),
];
