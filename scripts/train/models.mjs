// `npm run train:models [-- ID ...]`: trains the shipped models (model-list.mjs), one after the other, and writes public/models: weights in 16 bits,
// with a hash in the name, and index.json with the config, scores and training command of each.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { idOf, modelsOf, wordsOf } from './model-list.mjs';
import { buildProgram, runProgram } from './program.mjs';

const MOST_BYTES = 250_000;
const created = join(root, 'build/models');
const out = join(root, 'public/models');
const index = join(out, 'index.json');

/** The corpus of the task `text`. */
const TEXT = {
  file: 'data/pride-and-prejudice.txt',
  title: 'Pride and Prejudice',
  author: 'Jane Austen',
  year: 1813,
};

/** @import { Model } from './model-list.mjs' */
/** @import { Report } from './program.mjs' */

/** @param {Uint8Array} bytes */
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** All symbols of the text as the task reads it: A to Z in lower case, and white space as one space. @param {string} text */
function symbolsOf(text) {
  const letters = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[ \t-\r]+/g, ' ');
  return [...new Set(letters)].sort((a, b) => Number(a.codePointAt(0)) - Number(b.codePointAt(0))).join('');
}

/** The encodings that the trainer supports for a character model, determined by one small step. @param {string} program */
async function encodingsOfText(program) {
  /** @param {string} id */
  const takes = async (id) => {
    const words = ['text', '--encoding', id, '--steps', '1', '--batch_size', '1', '--sequence_length', '8', '--lengths', '8'];
    return (await runProgram(program, words, { cwd: root, stdio: 'ignore' })) === 0;
  };
  if (!(await takes('none'))) throw new Error('phasor_train cannot train a character model without an encoding');
  const ids = readdirSync(join(root, 'cpp/src/encodings')).map((file) => file.replace('.cpp', ''));
  const taken = [];
  for (const id of ids) if (await takes(id)) taken.push(id);
  return taken;
}

/** Trains a model and returns its entry in the index. @param {string} program @param {Model} model */
async function train(program, model) {
  const id = idOf(model);
  const report = join(created, `${id}.json`);
  const weights = join(created, `${id}.safetensors`);
  let output = '';
  /** @param {string} text */
  const heard = (text) => (output = `${output}${text}`.slice(-2000));
  const words = [...wordsOf(model), '--half'];
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] };
  if ((await runProgram(program, [...words, '--out', report, '--weights', weights], options, heard)) !== 0)
    throw new Error(`${id}: ${output}`);
  const bytes = readFileSync(weights);
  if (bytes.length > MOST_BYTES) throw new Error(`${id}: has ${bytes.length} bytes; expected at most ${MOST_BYTES}`);
  const sha256 = hashOf(bytes);
  const file = `${id}-${sha256.slice(0, 8)}.safetensors`;
  writeFileSync(join(out, file), bytes);
  /** @type {Report} */
  const { steps, score, chance, runs, metrics } = JSON.parse(readFileSync(report, 'utf8'));
  const [run] = runs;
  if (!run) throw new Error(`${id}: the program reports no run`);
  const named = Object.entries(metrics).map(([name, { mean }]) => [name, mean]);
  return {
    id,
    experiment: model.experiment,
    file,
    bytes: bytes.length,
    sha256,
    spec: model.spec,
    steps,
    score,
    chance,
    lengths: run.lengths.map(({ length, loss, score: reached }) => ({ length, loss, score: reached })),
    ...(named.length > 0 ? { metrics: Object.fromEntries(named) } : {}),
    trained: new Date().toISOString().slice(0, 10),
    command: `npm run train -- ${words.join(' ')} --weights ${id}.safetensors`,
  };
}

mkdirSync(created, { recursive: true });
mkdirSync(out, { recursive: true });
const program = await buildProgram();
const models = modelsOf(await encodingsOfText(program));
const named = process.argv.slice(2);
const unknown = named.find((id) => !models.some((model) => idOf(model) === id));
if (unknown !== undefined) {
  console.error(`${unknown} is not a model. Usage: npm run train:models [-- ID ...]; there are ${models.map(idOf).join(', ')}`);
  process.exit(2);
}
const novel = readFileSync(join(root, 'public', TEXT.file));
const text = { ...TEXT, sha256: hashOf(novel), symbols: symbolsOf(novel.toString()) };
/** @type {Awaited<ReturnType<typeof train>>[]} */
let entries = existsSync(index) ? JSON.parse(readFileSync(index, 'utf8')).models : [];
for (const model of models.filter((each) => named.length === 0 || named.includes(idOf(each)))) {
  const entry = await train(program, model);
  entries = [...entries.filter(({ id }) => id !== entry.id), entry];
  // The index is written after each model, so that an interruption loses little.
  const inOrder = models.flatMap((each) => entries.filter(({ id }) => id === idOf(each)));
  writeFileSync(index, `${JSON.stringify({ text, models: inOrder }, null, 1)}\n`);
  for (const file of readdirSync(out))
    if (file.endsWith('.safetensors') && !inOrder.some((each) => each.file === file)) rmSync(join(out, file));
  console.log(
    `${entry.id}: ${entry.score} ${entry.lengths.map(({ length, score }) => `${score.toFixed(3)} at ${length}`).join(', ')}, ${entry.bytes} bytes`,
  );
}
