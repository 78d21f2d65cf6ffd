// The rows of the attention suite in one environment: Node, or a page of a browser, which loads this file unchanged.

import { loopEngine, onnxGraph, onnxOperator, phasorEngine, tensorflowEngine, withMemory } from './attention-engines.mjs';
import { wasmPeak } from './peak.mjs';
import { median } from './rounds.mjs';

const width = 64;
/** Calls that would take longer are left out, ms. */
const longest = 6_000;
/** The number of rounds of a task, from the time of one call. */
const roundsFor = (milliseconds) =>
  Math.round(Math.min(25, Math.max(milliseconds > 2000 ? 1 : milliseconds > 500 ? 2 : 3, 400 / milliseconds)));
/** Time for which a task runs before it is timed, ms. */
const warmUp = 300;
/** Number of tokens up to which allocating the output is a considerable part of a call. */
const longestKept = 512;
/** Shorter calls are timed several at a time, ms. */
const shortest = 4;

const headsFor = (tokens) => (tokens > 4096 ? 1 : 8);
/** Multiplications and additions of the visible pairs. */
const flops = ({ tokens, heads, causal }) => 4 * heads * width * (causal ? (tokens * (tokens + 1)) / 2 : tokens * tokens);

/** Wall time of one call in ms, and in Node the processor time, which does not include other programs. */
async function timed(run, times = 1) {
  const cpu = globalThis.process?.cpuUsage?.();
  const start = performance.now();
  let result;
  for (let i = 0; i < times; i += 1) {
    result = run();
    if (result instanceof Promise) result = await result;
  }
  const wall = (performance.now() - start) / times;
  const used = cpu && process.cpuUsage(cpu);
  return { result, wall, cpu: used && (used.user + used.system) / 1000 / times };
}

function difference(numbers, ours) {
  if (numbers.length !== ours.length) throw new Error(`it gives ${numbers.length} numbers, not ${ours.length}`);
  let largest = 0;
  for (let i = 0; i < ours.length; i += 1) largest = Math.max(largest, Math.abs(numbers[i] - ours[i]));
  return largest;
}

/** Times the tasks of one problem in turns. Before that, their results are compared with those of the first task, which is Phasor. */
async function compare(tasks, problem, expected, more = 1) {
  const rows = [];
  const running = [];
  let ours;
  for (const { engine, encoding = 'none', memory, threads = 1 } of tasks) {
    const row = { what: engine.what, encoding, ...problem.facts };
    rows.push(row);
    const guess = expected(row);
    if (guess > longest) {
      row.fails = `left out: a call would take ${(guess / 1000).toFixed(0)} s`;
      continue;
    }
    try {
      const prepared = await engine.prepare({ ...problem, encoding });
      const before = memory?.();
      const first = await timed(prepared.run);
      const numbers = prepared.numbers(first.result);
      ours ??= numbers.slice();
      if (encoding === 'none') row.difference = difference(numbers, ours);
      if (row.difference > 1e-4) throw new Error(`it computes something else, by ${row.difference}`);
      row.first = first.wall;
      if (memory) Object.assign(row, { memory: memory(), growth: memory() - before });
      running.push({ ...prepared, row, threads, times: [], once: first.wall, repeat: 1 });
    } catch (error) {
      row.fails = String(error?.message ?? error).slice(0, 160);
    }
  }
  for (const task of running) {
    // Engines recompile hot loops; the trigger is the number of iterations, so short calls are repeated.
    const end = performance.now() + warmUp;
    while (task.once < warmUp && performance.now() < end) await timed(task.run);
    // The clock of a browser is too coarse for three calls of a few hundredths of a millisecond.
    const { wall } = task.once > 500 ? { wall: task.once } : await timed(task.run, task.once < 10 ? 50 : 3);
    task.repeat = Math.max(1, Math.round(shortest / wall));
    task.count = more * roundsFor(wall * task.repeat);
  }
  for (let round = 0; round < Math.max(...running.map(({ count }) => count)); round += 1) {
    for (let turn = 0; turn < running.length; turn += 1) {
      const task = running[(turn + round) % running.length];
      if (round < task.count) task.times.push(await timed(task.run, task.repeat));
    }
  }
  for (const { row, times, count, threads, release } of running) {
    row.milliseconds = median(times.map(({ wall }) => wall));
    if (times[0].cpu !== undefined) row.cpu = median(times.map(({ cpu }) => cpu));
    if (threads > 1) row.threads = threads;
    row.rounds = count;
    row.gflops = flops(problem.facts) / ((threads === 1 && row.cpu) || row.milliseconds) / 1e6;
    release?.();
  }
  return rows;
}

/**
 * @param {object} place
 * @param {object} place.package the npm package
 * @param {object} [place.ort] ONNX Runtime Web, its number of threads already set
 * @param {object} [place.tf] TensorFlow.js with its wasm backend
 * @param {{ sizes: number[], encodings: number[], threads?: number }} plan numbers of tokens, and those that are also measured with encodings
 */
export async function attentionRows({ package: { createPhasor, createPhasorPool, createPhasorWorker }, ort, tf }, plan) {
  const [simd] = await withMemory(() => createPhasor({ variant: 'simd' }));
  const worker = await createPhasorWorker();
  const pool = await createPhasorPool({ workers: 2 });
  const peers = [];
  if (ort) {
    const threads = plan.threads ?? 1;
    let memory;
    for (const make of [onnxOperator, onnxGraph]) {
      const engine = make(ort);
      if (threads > 1) engine.what += `, ${threads} threads`;
      // The first session creates the WebAssembly instance.
      if (!memory) {
        const one = { shape: [1, 1, width], data: new Float32Array(width) };
        [, memory] = await withMemory(() => engine.prepare({ q: one, k: one, v: one }));
      }
      peers.push({ engine, memory, threads });
    }
  }
  if (tf) {
    const [, memory] = await withMemory(() => tf.setBackend('wasm'));
    peers.push({ engine: tensorflowEngine(tf), memory });
  }
  let peak = wasmPeak();
  const rows = [];
  // Scales the last measured time by the number of operations.
  const expected = (row) => {
    const known = rows.filter(({ what, encoding, causal }) => what === row.what && encoding === row.encoding && causal === row.causal);
    const last = known.filter(({ milliseconds }) => milliseconds).at(-1);
    return last ? (last.milliseconds * flops(row)) / flops(last) : 0;
  };
  for (const tokens of plan.sizes) {
    for (const causal of [false, true]) {
      const heads = headsFor(tokens);
      const [q, k, v] = [1, 2, 3].map((seed) => simd.randomNormal({ seed, shape: [heads, tokens, width] }));
      // A new instance, because WebAssembly memory never shrinks.
      const [own, memory] = await withMemory(() => createPhasor({ variant: 'simd' }));
      const engine = phasorEngine('Phasor, SIMD', own);
      const tasks = [{ engine, memory }, ...peers];
      if (tokens >= 128 && !plan.threads) tasks.push({ engine: loopEngine });
      if (tokens >= 512) {
        tasks.push({ engine: phasorEngine('Phasor, one worker', worker), threads: 2 });
        tasks.push({ engine: phasorEngine('Phasor, pool of 2', pool), threads: 2 });
      }
      if (plan.encodings.includes(tokens)) {
        tasks.push(...['alibi', 't5', 'rope', 'shaw'].map((encoding) => ({ engine, encoding })));
      }
      rows.push(...(await compare(tasks, { q, k, v, causal, facts: { tokens, heads, causal } }, expected)));
    }
    peak = Math.max(peak, wasmPeak());
  }
  worker.dispose();
  pool.dispose();
  for (const row of rows) if (row.gflops) row.share = row.gflops / peak;
  return [{ what: 'peak of one thread, in registers', gflops: peak }, ...rows];
}

/**
 * Fused multiply-adds, reused outputs and tensor handles beside ONNX Runtime Web, whose tensors are created before timing starts.
 * @param {{ sizes: number[] }} plan numbers of tokens
 */
export async function fusedRows({ package: { createPhasor }, ort }, plan) {
  const simd = await createPhasor({ variant: 'simd' });
  const relaxed = await createPhasor({ variant: 'relaxed' });
  const plain = [
    { engine: phasorEngine('Phasor, relaxed', relaxed) },
    { engine: phasorEngine('Phasor, SIMD', simd) },
    { engine: onnxOperator(ort) },
    { engine: onnxGraph(ort) },
  ];
  const kept = [
    { engine: phasorEngine('Phasor, relaxed, out', relaxed, { out: true }) },
    { engine: phasorEngine('Phasor, SIMD, out', simd, { out: true }) },
    { engine: phasorEngine('Phasor, relaxed, kept', relaxed, { out: true, keep: true }) },
  ];
  const peaks = { SIMD: wasmPeak(), relaxed: wasmPeak(12, true) };
  const rows = [];
  for (const tokens of plan.sizes) {
    for (const causal of [false, true]) {
      const heads = headsFor(tokens);
      const [q, k, v] = [1, 2, 3].map((seed) => simd.randomNormal({ seed, shape: [heads, tokens, width] }));
      const tasks = tokens <= longestKept ? [...plain, ...kept] : plain;
      rows.push(...(await compare(tasks, { q, k, v, causal, facts: { tokens, heads, causal } }, () => 0, 3)));
    }
  }
  for (const row of rows) {
    const peak = peaks[/Phasor, (\w+)/.exec(row.what)?.[1]];
    if (row.gflops && peak) row.share = row.gflops / peak;
  }
  return [...Object.entries(peaks).map(([name, gflops]) => ({ what: `peak of one thread, in registers, ${name}`, gflops })), ...rows];
}

export const coldEngines = ['phasor', 'operator', 'graph', 'tensorflow', 'loop'];

/** The first call of an engine in a new process. @param {string} name one of `coldEngines` */
export async function coldRow({ package: { createPhasor }, ort, tf }, name, tokens) {
  const phasor = await createPhasor();
  await tf?.setBackend('wasm');
  const engine = {
    phasor: () => phasorEngine('Phasor, SIMD', phasor),
    operator: () => onnxOperator(ort),
    graph: () => onnxGraph(ort),
    tensorflow: () => tensorflowEngine(tf),
    loop: () => loopEngine,
  }[name]();
  const heads = headsFor(tokens);
  const [q, k, v] = [1, 2, 3].map((seed) => phasor.randomNormal({ seed, shape: [heads, tokens, width] }));
  const { run } = await engine.prepare({ q, k, v, causal: false, encoding: 'none' });
  const { wall } = await timed(run);
  const facts = { tokens, heads, causal: false };
  return { what: `${engine.what}, very first call`, encoding: 'none', ...facts, milliseconds: wall, gflops: flops(facts) / wall / 1e6 };
}
