// Models beside llama.cpp and ONNX Runtime, on one thread: the time of a prompt of 64 or 512 tokens with the first generated token, and of one more
// token. Each engine has a separate browser in Chromium and a separate process natively, and they take turns. Times are processor time, which does not
// include other programs. Files: a random llama of 135M in BF16, in Q8_0 for llama.cpp, in float32 for ONNX Runtime, and the GGUF file of Gemma 3
// 270M that `npm run test:real` downloads.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { folderOf, MODELS } from '../real/fetch.mjs';
import { writeRandomLlama } from '../real/random-llama.mjs';
import { reference } from '../real/references.mjs';
import { tokens, writeGguf } from './model-gguf.mjs';
import { nativeEngines } from './model-native.mjs';
import { writeOnnx } from './model-onnx.mjs';
import { openPage, serveModels } from './model-pages.mjs';
import { median } from './rounds.mjs';

export const needs = ['npm'];

const TURNS = 3;
/** Tokens generated after the first one, for the time of one token. */
const MORE = 16;
/** Calls that take longer are measured once, ms of processor time. */
const LONG = 6000;
/** Name, length of the prompt, and number of generated tokens. */
const CALLS = [
  ['64', 64, 1],
  ['512', 512, 1],
  ['more', 64, 1 + MORE],
];

/** The folder of the random llama, which is written on the first call. */
function randomFiles() {
  const folder = join(root, 'build/bench/llama-135m');
  const path = (name) => join(folder, name);
  if (!existsSync(path('complete'))) {
    mkdirSync(folder, { recursive: true });
    writeRandomLlama(folder);
    writeGguf(path('llama-135m-q8_0.gguf'));
    writeOnnx(path('model.onnx'));
    writeFileSync(path('complete'), '');
  }
  return folder;
}

/** A prompt of <s> and letters, each of which is one token. */
function randomPrompt(length) {
  const text = Array.from({ length: length - 1 }, (_, at) => String.fromCharCode(97 + ((7 * at) % 26))).join('');
  return { ids: [1, ...Buffer.from(text).map((byte) => byte + 3)], text };
}

/**
 * The models, with their prompts and the files of each engine; `info` comes from the headers of the files.
 * @typedef {{ what: string, format: string, name: string, files: string[], bytes?: number }} Engine `name`: the function of model-engines.mjs
 */
async function models() {
  const { inspectModel, readGgufMetadata } = await import('../../dist/npm/model.node.js');
  const folder = randomFiles();
  const file = (name) => join(folder, name);
  const gguf = join(folderOf(MODELS.gemma), 'gemma-3-270m-q4_k_m.gguf');
  const vocabulary = (await readGgufMetadata(gguf)).get('tokenizer.ggml.tokens');
  const { ids } = reference('gemma').texts.find(({ id }) => id === 't700');
  const words = (list, all) =>
    list
      .map((id) => all[id])
      .join('')
      .replaceAll('\u2581', ' ');
  /** `bytes` are the weights in memory, known for Phasor only. */
  const engine = async (what, format, name, ...files) => {
    const bytes = what === 'Phasor' ? (await inspectModel(format === 'BF16' ? folder : files[0])).bytes : undefined;
    return { what, format, name, files, bytes };
  };
  const q8 = file('llama-135m-q8_0.gguf');
  return [
    {
      model: 'random llama, 135M',
      info: await inspectModel(folder),
      prompt: randomPrompt,
      textOf: (list) => words(list, tokens),
      pages: await Promise.all([
        engine('Phasor', 'BF16', 'phasor', file('config.json'), file('model.safetensors')),
        engine('Phasor', 'Q8_0', 'phasor', q8),
        engine('wllama', 'Q8_0', 'wllama', q8),
        engine('ONNX Runtime Web', 'float32', 'onnx', file('model.onnx')),
      ]),
      natives: await Promise.all([
        engine('Phasor', 'BF16', 'phasor', folder),
        engine('Phasor', 'Q8_0', 'phasor', q8),
        engine('llama.cpp', 'Q8_0', 'llama.cpp', q8),
      ]),
    },
    {
      model: 'Gemma 3 270M',
      info: await inspectModel(gguf),
      prompt: (length) => ({ ids: ids.slice(0, length), text: words(ids.slice(1, length), vocabulary) }),
      textOf: (list) => words(list, vocabulary),
      pages: await Promise.all([engine('Phasor', 'Q4_K_M', 'phasor', gguf), engine('wllama', 'Q4_K_M', 'wllama', gguf)]),
      natives: await Promise.all([engine('Phasor', 'Q4_K_M', 'phasor', gguf), engine('llama.cpp', 'Q4_K_M', 'llama.cpp', gguf)]),
    },
  ];
}

/** Multiply-adds of a prompt and its first token, as floating-point operations. */
function operations({ parameters, vocabSize, hiddenSize, layers, heads, headDim }, length) {
  const head = vocabSize * hiddenSize;
  const pairs = (length * (length + 1)) / 2;
  return 2 * ((parameters - head) * length + head) + 4 * layers * heads * headDim * pairs;
}

/** @param {unknown} thrown */
const reasonOf = (thrown) =>
  String(/** @type {Error} */ (thrown).message ?? thrown)
    .split('\n')[0]
    .slice(0, 120);

/** Opens an engine; if that fails, `fails` is the reason. */
async function opened({ open, ...one }) {
  try {
    return { ...one, engine: await open(), times: Object.fromEntries(CALLS.map(([name]) => [name, []])) };
  } catch (thrown) {
    return { ...one, fails: reasonOf(thrown) };
  }
}

/** The calls of one turn. Turn 0 is a warm-up, and calls longer than LONG are measured once. */
async function takeTurn(one, { prompt, textOf }, turn) {
  for (const [name, length, count] of CALLS) {
    if (turn === 0 ? name === '512' : one.times[name][0] > LONG) continue;
    const { tokens: generated, processor } = await one.engine.generate(prompt(length), count);
    if (turn > 0) one.times[name].push(processor);
    if (name === 'more') one.text = typeof generated === 'string' ? generated : textOf(generated);
  }
}

async function turns(model, where, opening) {
  const engines = [];
  for (const one of opening) engines.push(await opened(one));
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const one of engines) {
      if (one.fails) continue;
      await takeTurn(one, model, turn).catch((thrown) => {
        one.fails = reasonOf(thrown);
      });
    }
  }
  const [first] = engines;
  // Read before the limits, which allocate memory.
  for (const one of engines) if (!one.fails) one.memory = one.engine.memory?.();
  const limits = first.fails ? undefined : await first.engine.limits();
  if (limits) console.log(`${model.model}, ${where}: peak ${limits.peak.toFixed(0)} GFLOP/s, memory ${limits.bandwidth.toFixed(1)} GB/s`);
  const rows = engines.map(({ what, format, bytes, engine, times, text, memory, fails }) => {
    const row = { model: model.model, where, what: engine?.what ? `${what}, ${engine.what}` : what, format };
    if (fails) return { ...row, fails };
    const [short, long, all] = CALLS.map(([name]) => median(times[name]));
    const token = (all - short) / MORE;
    return {
      ...row,
      short,
      long,
      token,
      share: limits && operations(model.info, 512) / long / 1e6 / limits.peak,
      bandwidth: limits && bytes && bytes / token / 1e6 / limits.bandwidth,
      memory,
      isSame: text === first.text,
    };
  });
  for (const { engine } of engines) await engine?.close();
  return rows;
}

export async function modelRows() {
  const { origin, close } = await serveModels();
  const rows = [];
  try {
    for (const model of await models()) {
      const pages = model.pages.map((one) => ({ ...one, open: () => openPage(origin, one.name, one.files) }));
      rows.push(...(await turns(model, 'Chromium', pages)), ...(await turns(model, 'natively', await nativeEngines(model.natives))));
    }
  } finally {
    close();
  }
  return rows;
}

/** Processor time of a peer relative to the fastest row of Phasor. */
function times(row, rows, field) {
  const own = rows.filter((one) => one.model === row.model && one.where === row.where && one.what.startsWith('Phasor') && one[field]);
  const best = Math.min(...own.map((one) => one[field]));
  return row.what.startsWith('Phasor') || row.fails ? undefined : (row[field] / best).toFixed(2);
}
const percent = (value) => value && (100 * value).toFixed(0);

export const columns = (rows) => [
  ['model', (row) => row.model],
  ['where', (row) => row.where],
  ['what', (row) => (row.fails ? `${row.what}: could not be had (${row.fails})` : row.what)],
  ['weights', (row) => row.format],
  ['64 tokens, ms', (row) => row.short?.toFixed(0)],
  ['512 tokens, ms', (row) => row.long?.toFixed(0)],
  ['one token, ms', (row) => row.token?.toFixed(1)],
  ['times the faster Phasor: 64', (row) => times(row, rows, 'short')],
  ['512', (row) => times(row, rows, 'long')],
  ['one token', (row) => times(row, rows, 'token')],
  ['512 tokens, % of the peak', (row) => percent(row.share)],
  ['one token, % of the bandwidth', (row) => percent(row.bandwidth)],
  ['memory, MB', (row) => row.memory && (row.memory / 1e6).toFixed(0)],
  ['same tokens', (row) => (row.fails ? undefined : row.isSame ? 'yes' : 'no')],
];
