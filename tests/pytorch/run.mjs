// `npm run test:pytorch`: exported programs, run by PyTorch itself: ten steps from the same weights and the same batches have the same losses, in
// one process and in two under torchrun. Needs python3-torch (Debian: with libopenblas0-pthread) and a built package.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

const STEPS = 10;
const MOST = 1e-4;
/** PyTorch 1.13 fails under Python 3.11 unless it is told what to do with what its processes say: to print it. */
const SPOKEN = ['--redirects', '2', '--tee', '1'];
const python = ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', 'import torch']).status === 0);
if (!python) {
  console.error('PyTorch is missing: apt-get install python3-torch libopenblas0-pthread');
  process.exit(1);
}
const { createTrainer } = await import(join(root, 'dist/npm/train.node.js'));
const corpus = readFileSync(join(root, 'public/data/pride-and-prejudice.txt'), 'utf8').slice(0, 100_000);

const encodings = ['none', 'sinusoidal', 'learned', 'rope', 'alibi', 't5'];
const text = { task: 'text', corpus, batch: 8, length: 32 };
/** What is compared: a spec, and whether in two processes, too. */
const cases = [
  ...encodings.map((encoding) => ({ spec: { task: 'order', encoding, steps: STEPS }, two: encoding === 'rope' })),
  ...encodings.map((encoding) => ({ spec: { ...text, encoding, steps: STEPS }, two: encoding === 't5' })),
  // What else a spec may say.
  {
    spec: {
      task: 'copy',
      encoding: { id: 'rope', layout: 'half_split', base: 500 },
      norm: 'rms_norm',
      activation: 'swiglu',
      tiedHead: true,
      weightDecay: 0.1,
      positionOffset: 3,
      steps: STEPS,
      batch: 8,
    },
    two: true,
  },
  {
    spec: {
      task: 'variable_lengths',
      encoding: { id: 'alibi', form: 'causal' },
      activation: 'relu',
      optimizer: 'sgd',
      momentum: 0.9,
      lr: 0.1,
      labelSmoothing: 0.1,
      heads: 2,
      feedForward: 96,
      steps: STEPS,
    },
    two: true,
  },
  {
    spec: {
      task: 'order_long',
      encoding: { id: 'sinusoidal', layout: 'concatenated' },
      randomizedPositions: 64,
      activation: 'gelu_tanh',
      steps: STEPS,
    },
    two: true,
  },
];

const folder = mkdtempSync(join(tmpdir(), 'phasor-pytorch-'));
let failed = 0;

/** The losses that a program prints. */
function lossesOf(words) {
  const { status, stdout, stderr } = spawnSync(python, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  });
  if (status !== 0) throw new Error(`${words.join(' ')}\n${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .flatMap((line) => /\{"step".*\}$/.exec(line) ?? []) // torchrun says before each line whose it is
    .map((line) => JSON.parse(line).loss);
}

try {
  writeFileSync(join(folder, 'corpus.txt'), corpus);
  for (const { spec, two } of cases) {
    const trainer = await createTrainer(spec, { variant: 'simd' });
    const { name, program, weights } = await trainer.toPyTorch();
    writeFileSync(join(folder, `${name}.py`), program);
    writeFileSync(join(folder, `${name}.safetensors`), weights);
    const ours = [];
    await trainer.step(STEPS, { onProgress: ({ loss }) => ours.push(loss) });
    trainer.dispose();
    const words = [`${name}.py`, ...('corpus' in spec ? ['--corpus', 'corpus.txt'] : [])];
    const runs = {
      'one process': words,
      ...(two ? { 'two processes': ['-m', 'torch.distributed.run', '--standalone', '--nproc_per_node=2', ...SPOKEN, ...words] } : {}),
    };
    for (const [how, command] of Object.entries(runs)) {
      const theirs = lossesOf(command);
      const most = Math.max(...ours.map((loss, step) => Math.abs(loss - theirs[step])));
      const fits = theirs.length === STEPS && most <= MOST; // NaN does not fit
      if (!fits) failed += 1;
      console.log(`${fits ? 'ok    ' : 'FAILED'} ${name}, ${how}: the largest difference of ${STEPS} losses is ${most.toExponential(1)}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);
