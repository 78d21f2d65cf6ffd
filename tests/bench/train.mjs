// Steps of training on one thread: the native program with the widest instructions and with portable ones, WebAssembly under Node, and PyTorch on the
// same model (the program that Phasor exports), taking turns. Processor time of a step without its evaluation; batches of PyTorch are drawn before.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { run } from '../../scripts/run.mjs';
import { buildProgram, withData } from '../../scripts/train/program.mjs';
import { median } from './rounds.mjs';

export const needs = ['npm'];

/** Experiments of docs/experiments.md, with as many steps as take about a second. */
const TASKS = [
  { experiment: 'E1', task: 'order', steps: 100 },
  { experiment: 'E2a', task: 'copy', steps: 40 },
  { experiment: 'E2b', task: 'text', steps: 30 },
];
const ENCODINGS = ['rope', 'alibi', 't5'];
const TURNS = 7;
const corpusFile = join(root, 'public/data/pride-and-prejudice.txt');

const python = () => ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', 'import torch']).status === 0);

/** Milliseconds of the processor for each step. */
function nativeStep(program, folder, { task, steps }, encoding, ...more) {
  const out = join(folder, 'curve.json');
  run(program, withData([task, '--encoding', encoding, '--steps', String(steps), '--out', out, '--every', String(steps), ...more]));
  return (1000 * JSON.parse(readFileSync(out, 'utf8')).runs[0].seconds) / steps;
}

async function wasmStep(trainer, steps) {
  const start = process.cpuUsage();
  await trainer.step(steps);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / steps;
}

function torchStep(interpreter, program, steps, words) {
  const environment = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  const { status, stdout, stderr } = spawnSync(interpreter, [join(root, 'tests/bench/train_peer.py'), program, String(steps), ...words], {
    encoding: 'utf8',
    env: environment,
  });
  if (status !== 0) throw new Error(stderr);
  return median(JSON.parse(stdout).slice(Math.floor(steps / 4)));
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
      for (const encoding of ENCODINGS) {
        const spec = { task: one.task, encoding, ...(one.task === 'text' ? { corpus } : {}) };
        const [simd, relaxed] = await Promise.all(
          ['simd', 'relaxed'].map((variant) => createTrainer(spec, { variant }).catch(() => undefined)),
        );
        const exported = await simd.toPyTorch();
        writeFileSync(join(folder, `${exported.name}.py`), exported.program);
        writeFileSync(join(folder, `${exported.name}.safetensors`), exported.weights);
        const words = one.task === 'text' ? ['--corpus', corpusFile] : [];
        /** @type {Record<string, () => number | Promise<number>>} */
        const contenders = {
          native: () => nativeStep(program, folder, one, encoding),
          portable: () => nativeStep(program, folder, one, encoding, '--portable', 'true'),
          simd: () => wasmStep(simd, one.steps),
          ...(relaxed ? { relaxed: () => wasmStep(relaxed, one.steps) } : {}),
          ...(interpreter ? { torch: () => torchStep(interpreter, join(folder, `${exported.name}.py`), one.steps, words) } : {}),
        };
        const took = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
        for (let turn = 0; turn < TURNS; turn += 1) for (const [name, step] of Object.entries(contenders)) took[name].push(await step());
        simd.dispose();
        relaxed?.dispose();
        rows.push({
          experiment: `${one.experiment} ${one.task}`,
          encoding,
          ms: Object.fromEntries(Object.entries(took).map(([name, all]) => [name, median(all)])),
        });
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
  ['native, times PyTorch', times('native', 'torch')],
  ['relaxed, times native portable', times('relaxed', 'portable')],
  ['SIMD, times native portable', times('simd', 'portable')],
];
