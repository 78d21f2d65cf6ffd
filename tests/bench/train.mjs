// Training steps on one thread: the native program with the widest and with portable instructions, WebAssembly in Node, PyTorch with the same model
// (the program exported by Phasor) and, for one task, TensorFlow.js, taking turns. Processor time of a step without evaluation; the batches of the
// peers are drawn in advance.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { run } from '../../scripts/run.mjs';
import { buildProgram, withData } from '../../scripts/train/program.mjs';
import { median } from './rounds.mjs';
import { tensorflowTrainer } from './train-tensorflow.mjs';

export const needs = ['npm'];

const ENCODINGS = ['rope', 'alibi', 't5'];
/** Experiments of docs/experiments.md; the steps take about half a second. */
const TASKS = [
  { experiment: 'E1', task: 'order', encodings: ENCODINGS, steps: 60 },
  { experiment: 'E2a', task: 'copy', encodings: ENCODINGS, steps: 24 },
  { experiment: 'E2b', task: 'text', encodings: ENCODINGS, steps: 16 },
  { experiment: 'E3', task: 'image', encodings: ['fourier'], steps: 100 },
];
const TURNS = 5;
const corpusFile = join(root, 'public/data/pride-and-prejudice.txt');

const python = () => ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', 'import torch']).status === 0);

/** Processor time of a step, ms. */
function nativeStep(program, folder, { task, steps }, encoding, ...more) {
  const out = join(folder, 'curve.json');
  run(program, withData([task, '--encoding', encoding, '--steps', String(steps), '--out', out, '--every', String(steps), ...more]));
  return (1000 * JSON.parse(readFileSync(out, 'utf8')).runs[0].seconds) / steps;
}

/** Processor time of a step, ms: the median of five, because a step takes ten times as long as one of Phasor. */
function tensorflowStep({ step }) {
  const took = Array.from({ length: 6 }, () => {
    const start = process.cpuUsage();
    step();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return median(took.slice(1));
}

async function wasmStep(trainer, steps) {
  const start = process.cpuUsage();
  await trainer.step(steps);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / steps;
}

/** The median of a program's steps, without the first quarter, in which PyTorch warms up. */
function torchStep(interpreter, words) {
  const environment = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  const { status, stdout, stderr } = spawnSync(interpreter, words, { encoding: 'utf8', env: environment });
  if (status !== 0) throw new Error(stderr);
  const took = JSON.parse(stdout);
  return median(took.slice(Math.floor(took.length / 4)));
}

const IMAGE = 64;
/** An arbitrary image: the time of a step does not depend on it. */
const image = () => ({ shape: [IMAGE, IMAGE, 3], data: Float32Array.from({ length: IMAGE * IMAGE * 3 }, (_, i) => (i % 97) / 97) });

/** The arguments of the PyTorch program: train_peer.py, or train_image_peer.py for the task image, which transformer.py does not have. */
async function peer(trainer, { task, steps }, folder) {
  if (task === 'image') {
    const { embedDim: width, layers } = trainer.config;
    return [join(root, 'tests/bench/train_image_peer.py'), ...[steps, 2 * width, width, layers, (IMAGE / 2) ** 2].map(String)];
  }
  const { name, config, weights } = await trainer.toPyTorch();
  const file = join(folder, `${name}.json`);
  writeFileSync(file, config);
  writeFileSync(join(folder, `${name}.safetensors`), weights);
  const corpus = task === 'text' ? [corpusFile] : [];
  return [join(root, 'tests/bench/train_peer.py'), file, String(steps), ...corpus];
}

/** @returns {Promise<{ experiment: string, encoding: string, ms: Record<string, number> }[]>} medians of the turns */
export async function trainRows() {
  const program = await buildProgram();
  const { createTrainer } = await import(join(root, 'dist/npm/train.node.js'));
  const interpreter = python();
  if (!interpreter) console.error('PyTorch is missing, so there is no peer: apt-get install python3-torch libopenblas0-pthread');
  const corpus = readFileSync(corpusFile, 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'phasor-bench-train-'));
  const rows = [];
  try {
    for (const one of TASKS) {
      for (const encoding of one.encodings) {
        const given = { text: { corpus }, image: { image: image() } }[one.task];
        const spec = { task: one.task, encoding, ...given };
        const [simd, relaxed] = await Promise.all(
          ['simd', 'relaxed'].map((variant) => createTrainer(spec, { variant }).catch(() => undefined)),
        );
        const words = await peer(simd, one, folder);
        const tensorflow = one.task === 'order' && encoding === 'alibi' ? await tensorflowTrainer(simd, folder) : undefined;
        /** @type {Record<string, () => number | Promise<number>>} */
        const contenders = {
          native: () => nativeStep(program, folder, one, encoding),
          portable: () => nativeStep(program, folder, one, encoding, '--portable', 'true'),
          simd: () => wasmStep(simd, one.steps),
          ...(relaxed ? { relaxed: () => wasmStep(relaxed, one.steps) } : {}),
          ...(tensorflow ? { tensorflow: () => tensorflowStep(tensorflow) } : {}),
          ...(interpreter ? { torch: () => torchStep(interpreter, words) } : {}),
        };
        const took = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
        for (let turn = 0; turn < TURNS; turn += 1) for (const [name, step] of Object.entries(contenders)) took[name].push(await step());
        for (const used of [simd, relaxed, tensorflow]) used?.dispose();
        const ms = Object.fromEntries(Object.entries(took).map(([name, all]) => [name, median(all)]));
        rows.push({ experiment: `${one.experiment} ${one.task}`, encoding, ms });
        // Progress: a row takes a minute.
        console.error(`${one.experiment} ${encoding}: native ${ms.native.toFixed(2)} ms, PyTorch ${ms.torch?.toFixed(2) ?? '-'} ms`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return rows;
}

const perSecond = (name) => (row) => (row.ms[name] === undefined ? '' : (1000 / row.ms[name]).toFixed(0));
const times = (one, other) => (row) =>
  row.ms[one] === undefined || row.ms[other] === undefined ? '' : (row.ms[other] / row.ms[one]).toFixed(2);

export const columns = () => [
  ['experiment', (row) => row.experiment],
  ['encoding', (row) => row.encoding],
  ['native, steps/s', perSecond('native')],
  ['native portable', perSecond('portable')],
  ['WebAssembly SIMD', perSecond('simd')],
  ['relaxed SIMD', perSecond('relaxed')],
  ['PyTorch', perSecond('torch')],
  ['TensorFlow.js, wasm', perSecond('tensorflow')],
  ['native, times PyTorch', times('native', 'torch')],
  ['relaxed, times TensorFlow.js', times('relaxed', 'tensorflow')],
  ['relaxed, times native portable', times('relaxed', 'portable')],
  ['SIMD, times native portable', times('simd', 'portable')],
];
