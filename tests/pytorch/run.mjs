// `npm run test:pytorch`: compares public/reference/transformer.py in PyTorch with the core (ten steps from the same weights and batches have the same
// losses, in one process and in two under torchrun), and runs the programs of the page of all models, the program of chapter 0, and `phasor doctor` on
// dumps of transformers. Needs PyTorch and NumPy for the same python3; the doctor (alone: `-- doctor`) also needs transformers and pytest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildUnlessCurrent } from '../../scripts/build.mjs';
import { root } from '../../scripts/root.mjs';
import { checkDoctor } from './doctor.mjs';
import { comparePrograms } from './position-programs.mjs';

const STEPS = 10;
const MOST = 1e-5;
/** Under Python 3.11, torchrun of PyTorch 1.13 fails unless it prints the output of its processes. */
const LOG_OPTIONS = ['--redirects', '2', '--tee', '1'];
const python = ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', 'import numpy, torch']).status === 0);
if (!python) {
  console.error('PyTorch is missing: apt-get install python3-torch libopenblas0-pthread, or pip install torch numpy');
  process.exit(1);
}
await buildUnlessCurrent(['npm']);
/** @type {{ createTrainer: import('../../scripts/train/engines.mjs').CreateTrainer }} */
const { createTrainer } = await import(join(root, 'dist/npm/train.node.js'));
const corpus = readFileSync(join(root, 'public/data/pride-and-prejudice.txt'), 'utf8').slice(0, 100_000);

const encodings = ['none', 'sinusoidal', 'learned', 'rope', 'alibi', 't5'];
const text = { task: 'text', corpus, batchSize: 8, sequenceLength: 32 };
/**
 * The specs, and whether each is also trained in two processes.
 * @type {{ spec: import('../../scripts/train/engines.mjs').AnyTrainConfig, two: boolean }[]}
 */
const cases = [
  ...encodings.map((encoding) => ({ spec: { task: 'order', encoding, steps: STEPS }, two: encoding === 'rope' })),
  ...encodings.map((encoding) => ({ spec: { ...text, encoding, steps: STEPS }, two: encoding === 't5' })),
  // All other encodings and tasks.
  ...[
    'proximal',
    'sandwich',
    'relative_bias',
    'kerple',
    'fire',
    'shaw',
    'transformer_xl',
    'deberta',
    'cope',
    { id: 'sandwich', index: 'from_one' },
    { id: 'relative_bias', per_head: true, placement: 'inside', beyond: 'clip', max_length: 8 },
    { id: 'kerple', form: 'power' },
    { id: 'kerple', form: 'weighted_power', right: 'zero' },
    { id: 'fire', init_l: 8, mlp_width: 16 },
    { id: 'shaw', clip: 4, direction: 'left_positive', per_head: true },
    { id: 'shaw', values: false },
    { id: 'transformer_xl', layout: 'interleaved', clamp_len: 6 },
    { id: 'deberta', position_buckets: 8, max_relative_positions: 16 },
    { id: 'deberta', terms: 'p2c', position_buckets: 0, max_relative_positions: 8 },
    { id: 'cope', placement: 'inside', npos: 6 },
    'index',
    'normalised_index',
    'sine',
    'sin_cos',
    'multi_frequency',
    'binary',
    'xpos',
    { id: 'index', start: 1 },
    { id: 'normalised_index', convention: 'over_n', range: 'symmetric' },
    { id: 'normalised_index', convention: 'linspace' },
    { id: 'binary', order: 'lsb_first' },
    { id: 'xpos', layout: 'half_split', gamma: 0.5, scale_base: 64, length: 15 },
    { id: 'rope', rotary_fraction: 0.5, kept_fraction: 0.5 },
    { id: 'rope', rotary_fraction: 0.25, layout: 'half_split' },
    { id: 'rope', scaling: 'linear', factor: 2 },
    { id: 'rope', scaling: 'yarn', original_length: 8, rotary_offset: 4 },
    'mrope',
    'nerf',
    { id: 'alibi', form: 'half_heads' },
    { id: 'alibi', form: 'mpt' },
    { id: 'learned', scaled: true, row_offset: 2 },
    'pope',
    'grape_a',
    { id: 'grape_a', gate: 'both', gate_scale: 0.5 },
    'forgetting',
    { id: 'forgetting', rotation: 'rope', base: 500, layout: 'half_split', init_bias: 0.5 },
    'path',
    { id: 'path', rank: 4, eps: 0.01 },
    // RMS norm, because a layer norm would remove values that are equal in all channels.
  ].map((encoding) => ({
    spec: { task: 'copy', encoding, norm: /** @type {const} */ ('rms_norm'), sequenceLength: 16, batchSize: 16, steps: STEPS },
    two: false,
  })),
  ...['counting', 'geometry_1d', 'geometry_2d'].map((task) => ({
    spec: { task, encoding: 'learned', batchSize: 4, steps: STEPS },
    two: false,
  })),
  ...['rope_2d', 'sinusoidal_grid'].map((encoding) => ({
    spec: { task: 'geometry_2d', encoding, batchSize: 4, steps: STEPS },
    two: false,
  })),
  ...['masked_text', 'probe'].map((task) => ({
    spec: { task, encoding: 'alibi', corpus, batchSize: 8, sequenceLength: 16, steps: STEPS },
    two: false,
  })),
  // Learned parameters of attention: sinks and norms of queries and keys.
  ...['rope', 'path', { id: 'shaw', clip: 4 }].map((encoding) => ({
    spec: { task: 'copy', encoding, sinks: true, qkNorm: true, sequenceLength: 16, batchSize: 16, steps: STEPS },
    two: encoding === 'rope',
  })),
  // The other options of a spec.
  {
    spec: {
      task: 'copy',
      encoding: { id: 'rope', layout: 'half_split', base: 500 },
      norm: 'rms_norm',
      activation: 'swiglu',
      tieWordEmbeddings: true,
      weightDecay: 0.1,
      positionOffset: 3,
      steps: STEPS,
      batchSize: 8,
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
      dimFeedforward: 96,
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

// `npm run test:pytorch -- WORD` runs the cases whose spec contains the word.
const selectedCases = cases.filter(({ spec }) =>
  process.argv.slice(2).every((word) => JSON.stringify({ ...spec, corpus: undefined }).includes(word)),
);

const folder = mkdtempSync(join(tmpdir(), 'phasor-pytorch-'));
let failureCount = 0;

/** @param {string} command @param {string[]} words @returns {number[]} */
function lossesOf(command, words) {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, OMP_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (status !== 0) throw new Error(`${words.join(' ')}\n${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .flatMap((line) => /\{"step".*\}$/.exec(line) ?? []) // torchrun prefixes each line with its process
    .map((line) => JSON.parse(line).loss);
}

try {
  writeFileSync(join(folder, 'corpus.txt'), corpus);
  for (const { spec, two } of selectedCases) {
    const trainer = await createTrainer(spec, { variant: 'simd' });
    const { name, config, weights } = await trainer.toPyTorch();
    writeFileSync(join(folder, `${name}.json`), config);
    writeFileSync(join(folder, `${name}.safetensors`), weights);
    /** @type {number[]} */
    const losses = [];
    await trainer.step(STEPS, { onProgress: ({ loss }) => losses.push(loss) });
    trainer.dispose();
    const words = [
      join(root, 'public/reference/transformer.py'),
      `${name}.json`,
      '--steps',
      String(STEPS),
      ...('corpus' in spec ? ['--corpus', 'corpus.txt'] : []),
    ];
    const runs = {
      'one process': words,
      ...(two ? { 'two processes': ['-m', 'torch.distributed.run', '--standalone', '--nproc_per_node=2', ...LOG_OPTIONS, ...words] } : {}),
    };
    for (const [label, command] of Object.entries(runs)) {
      const torchLosses = lossesOf(python, command);
      const maxDifference = Math.max(...losses.map((loss, step) => Math.abs(loss - (torchLosses[step] ?? Number.NaN))));
      const isClose = torchLosses.length === STEPS && maxDifference <= MOST; // false for NaN
      if (!isClose) failureCount += 1;
      const params = Object.entries(typeof spec.encoding === 'object' ? spec.encoding : {}).slice(1);
      const options = params.map(([param, value]) => ` ${param} ${value}`).join(',');
      console.log(
        `${isClose ? 'ok    ' : 'FAILED'} ${name}${options}, ${label}: the largest difference of ${STEPS} losses is ${maxDifference.toExponential(1)}`,
      );
    }
  }
  if (process.argv.length === 2) console.log(`ok     ${await comparePrograms(python, folder)}`);
} finally {
  rmSync(folder, { recursive: true });
}
// The program of chapter 0 with PyTorch itself; npm test uses a stand-in.
if (process.argv.length === 2) {
  const environment = { ...process.env, PHASOR_TORCH: 'yes' };
  const chapter = spawnSync('npx', ['vitest', 'run', 'tests/web/short-way.test.ts'], { cwd: root, env: environment, stdio: 'inherit' });
  if (chapter.status !== 0) failureCount += 1;
}
if (process.argv.length === 2 || process.argv[2] === 'doctor') failureCount += (await checkDoctor(python)) ?? 0;
process.exit(failureCount ? 1 : 0);
