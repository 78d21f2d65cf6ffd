// The program of every consumer: attention on its thread, in a worker and with the inlined WebAssembly, each as one list of values. Some consumers
// also train a model (phasor/train) and open a checkpoint (phasor/model).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** WebAssembly files that a page loads beside its script. */
export const WASM = 'phasor.wasm';
export const NN_WASM = 'phasor-nn.wasm';

const numbersCode = `import { similarity } from 'phasor/analysis';
const numbers = async (phasor) => {
  const x = await phasor.randomNormal({ seed: 7, shape: [2, 6, 8] });
  const encoding = { id: 'rope', layout: 'half_split' };
  const { output } = await phasor.attention({ q: x, k: x, v: x, mask: 'causal', encoding });
  const bias = await phasor.attentionBias({ encoding: 'alibi', heads: 2, queries: 3, keys: 3 });
  const alike = await similarity(phasor, { table: { shape: [2, 2], data: [1, 0, 0, 2] }, metric: 'dot' });
  return [phasor.variant, ...output.data, ...bias.data, ...alike.data];
};
const inWorker = async (creating) => {
  const phasor = await creating;
  try {
    return [...(await numbers(phasor)), phasor.thread];
  } finally {
    phasor.dispose();
  }
};
`;

const training = `
const order = { task: 'order', encoding: 'rope', embedDim: 16, heads: 2, layers: 1, sequenceLength: 8, batchSize: 8 };
const trained = async (creating) => {
  const trainer = await creating;
  const losses = [];
  await trainer.step(5, { onProgress: ({ loss }) => losses.push(loss) });
  trainer.dispose();
  return [trainer.variant, ...losses];
};
`;

/** A checkpoint of 35 kB, which is embedded in the program. */
const checkpoint = join(import.meta.dirname, '../golden-models/llama-tied');
const opening = `
const config = ${JSON.stringify(JSON.parse(readFileSync(join(checkpoint, 'config.json'), 'utf8')))};
const bytes = Uint8Array.from(atob('${readFileSync(join(checkpoint, 'model.safetensors')).toString('base64')}'), (letter) => letter.charCodeAt(0));
const files = [new File([JSON.stringify(config)], 'config.json'), new File([bytes], 'model.safetensors')];
const opened = async (opening) => {
  const model = await opening;
  const { logits, loss } = await model.run([5, 6, 7], { outputs: ['logits', 'loss'] });
  const generated = [];
  for await (const { id } of model.generate([5, 6, 7], { maxNewTokens: 3 })) generated.push(id);
  model.dispose();
  return [model.variant, ...logits.data, loss, ...generated];
};
`;

/** @typedef {'direct' | 'worker' | 'inline' | 'train' | 'trainWorker' | 'model' | 'modelWorker'} Entry */

/** The source of a module that exports `answer`, an async function that returns the values of each of `entries`. @param {Entry[]} entries */
export const program = (entries = ['direct', 'worker', 'inline']) => {
  /** @type {Record<Entry, [imported: string, computed: string]>} */
  const known = {
    direct: ["import { createPhasor } from 'phasor';", 'direct: await numbers(await createPhasor())'],
    worker: ["import { createPhasorWorker } from 'phasor/worker';", 'worker: await inWorker(createPhasorWorker())'],
    train: ["import { createTrainer } from 'phasor/train';", 'train: await trained(createTrainer(order))'],
    trainWorker: ["import { createTrainerWorker } from 'phasor/train';", 'trainWorker: await trained(createTrainerWorker(order))'],
    model: ["import { openModel } from 'phasor/model';", 'model: await opened(openModel(files))'],
    modelWorker: ["import { openModelWorker } from 'phasor/model';", 'modelWorker: await opened(openModelWorker(files))'],
    inline: ["import { createPhasor as createInline } from 'phasor/inline';", 'inline: await numbers(await createInline())'],
  };
  const imports = entries.map((entry) => known[entry][0]).join('\n');
  /** @param {string} name */
  const has = (name) => entries.some((entry) => entry.startsWith(name));
  return `${imports}\n${numbersCode}${has('train') ? training : ''}${has('model') ? opening : ''}export const answer = async () => ({ ${entries.map((entry) => known[entry][1]).join(', ')} });\n`;
};

/** @type {Entry[]} */
export const ALL = ['direct', 'worker', 'inline', 'train', 'trainWorker', 'model', 'modelWorker'];

/** The same program with `require`. @param {Entry[]} [entries] */
export const commonJs = (entries) =>
  program(entries)
    .replaceAll(/import \{ (.*) \} from ('.*');/g, (_, names, from) => `const { ${names.replace(' as ', ': ')} } = require(${from});`)
    .replace('export const answer =', 'const answer = exports.answer =');

/** Stores the answer in the page, where steps.mjs reads it. */
export const show =
  'answer().then((value) => { globalThis.answered = { value }; }, (error) => { globalThis.answered = { error: error.name + " " + error.code + ": " + error.message }; });\n';

export const printed =
  'answer().then((value) => console.log(JSON.stringify(value)), (error) => { console.log(error.name + " " + error.code + ": " + error.message); });\n';

/** @param {string} script */
export const html = (script, type = 'module') =>
  `<!doctype html><meta charset="utf-8"><title>consumer</title><div id="app"></div><script type="${type}" src="${script}"></script>\n`;

export const page = { 'index.html': html('/main.js'), 'main.js': program() + show };
