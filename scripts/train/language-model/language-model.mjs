// `npm run train:language-model -- FOLDER`: trains the small language model that ships, and writes it as an ordinary checkpoint of type `llama` to
// public/models/austen. FOLDER is the unpacked Debian package r-cran-janeaustenr, which contains the six novels. The script needs python3 with
// tokenizers and rdata from PyPI. Training takes about ten minutes on one processor.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../../root.mjs';
import { buildProgram, runProgram } from '../program.mjs';
import { readSafetensors, writeSafetensors } from '../safetensors.mjs';

/** @import { Matrix } from '../safetensors.mjs' */

const MODEL = { layers: 4, heads: 8, embed_dim: 128, dim_feedforward: 344 };
const TOKENS = 128;
const FIELDS = {
  encoding: 'rope',
  'encoding.layout': 'half_split',
  ...MODEL,
  norm: 'rms_norm',
  activation: 'swiglu',
  tie_word_embeddings: true,
  sequence_length: TOKENS,
  batch_size: 16,
  steps: 3000,
  lr: 0.003,
  warmup_steps: 60,
  weight_decay: 0.1,
  lengths: '128,256,512',
  every: 250,
};
/** The first of the characters that represent tokens (prepare.py). */
const FIRST = 0xe000;

const created = join(root, 'build/language-model');
const out = join(root, 'public/models/austen');

/** @param {string} folder */
function prepare(folder) {
  const program = join(import.meta.dirname, 'prepare.py');
  const { status } = spawnSync('python3', [program, folder, created], { stdio: 'inherit' });
  if (status !== 0) throw new Error('prepare.py failed; it needs the packages tokenizers and rdata: pip install tokenizers rdata');
}

async function train() {
  const words = Object.entries(FIELDS).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const files = [
    '--corpus',
    join(created, 'corpus.txt'),
    '--weights',
    join(created, 'weights.safetensors'),
    '--out',
    join(created, 'report.json'),
  ];
  const code = await runProgram(await buildProgram(), ['text', ...words, ...files], { cwd: root, stdio: 'inherit' });
  if (code !== 0) throw new Error(`phasor_train ended with ${code}`);
}

/** The ids of tokens in the order of the trainer's symbols, and the rarest one. @param {string} corpus */
function symbolsOf(corpus) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const letter of corpus) {
    const id = /** @type {number} */ (letter.codePointAt(0)) - FIRST;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const ids = [...counts.keys()].sort((a, b) => a - b);
  const rarest = ids.reduce((best, id) => (Number(counts.get(id)) < Number(counts.get(best)) ? id : best));
  return { ids, rarest };
}

/**
 * Rows by token id. A token that does not occur in the text has the row of the rarest one.
 * @param {Matrix} rows
 * @param {number} factor
 * @param {number} size
 */
function byToken(rows, factor, size) {
  const { ids, rarest } = symbolsOf(readFileSync(join(created, 'corpus.txt'), 'utf8'));
  const place = new Map(ids.map((id, row) => [id, row]));
  const dim = MODEL.embed_dim;
  const data = new Float32Array(size * dim);
  for (let id = 0; id < size; id += 1) {
    const row = place.get(id) ?? /** @type {number} */ (place.get(rarest));
    for (let c = 0; c < dim; c += 1) data[id * dim + c] = factor * Number(rows.data[row * dim + c]);
  }
  return { shape: [size, dim], data };
}

/** `count` rows, starting with row `first`. @param {Matrix} matrix @param {number} first @param {number} count */
const rowsOf = ({ shape: [, columns = 0], data }, first, count) => ({
  shape: [count, columns],
  data: data.slice(first * columns, (first + count) * columns),
});

/** The weights with their names in transformers. @param {Record<string, Matrix>} trained @param {number} size of the vocabulary */
function asLlama(trained, size) {
  const { embed_dim: dim, dim_feedforward: inner, layers } = MODEL;
  /** @param {string} name */
  const get = (name) => {
    const found = trained[name];
    if (!found) throw new Error(`the trainer wrote no ${name}`);
    return found;
  };
  // The trainer multiplies embeddings by the square root of their size, and its logits are products with the embeddings themselves.
  const embedding = get('embedding.weight');
  /** @type {Record<string, Matrix>} */
  const named = {
    'model.embed_tokens.weight': byToken(embedding, Math.sqrt(dim), size),
    'lm_head.weight': byToken(embedding, 1, size),
    'model.norm.weight': get('norm.weight'),
  };
  for (let layer = 0; layer < layers; layer += 1) {
    const from = `layers.${layer}.`;
    const to = `model.layers.${layer}.`;
    const joint = get(`${from}attention.in_proj_weight`);
    const up = get(`${from}feed_forward.up.weight`);
    for (const [at, name] of ['q', 'k', 'v'].entries()) named[`${to}self_attn.${name}_proj.weight`] = rowsOf(joint, at * dim, dim);
    named[`${to}self_attn.o_proj.weight`] = get(`${from}attention.out_proj.weight`);
    named[`${to}mlp.gate_proj.weight`] = rowsOf(up, 0, inner);
    named[`${to}mlp.up_proj.weight`] = rowsOf(up, inner, inner);
    named[`${to}mlp.down_proj.weight`] = get(`${from}feed_forward.down.weight`);
    named[`${to}input_layernorm.weight`] = get(`${from}norm1.weight`);
    named[`${to}post_attention_layernorm.weight`] = get(`${from}norm2.weight`);
  }
  return named;
}

function publish() {
  const tokenizer = JSON.parse(readFileSync(join(created, 'tokenizer.json'), 'utf8'));
  const size = Object.keys(tokenizer.model.vocab).length;
  const report = JSON.parse(readFileSync(join(created, 'report.json'), 'utf8'));
  mkdirSync(out, { recursive: true });
  /** @param {string} name @param {unknown} value */
  const write = (name, value) => writeFileSync(join(out, name), `${JSON.stringify(value, undefined, 2)}\n`);
  writeFileSync(join(out, 'tokenizer.json'), JSON.stringify(tokenizer));
  write('config.json', {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    vocab_size: size,
    hidden_size: MODEL.embed_dim,
    intermediate_size: MODEL.dim_feedforward,
    num_hidden_layers: MODEL.layers,
    num_attention_heads: MODEL.heads,
    num_key_value_heads: MODEL.heads,
    head_dim: MODEL.embed_dim / MODEL.heads,
    hidden_act: 'silu',
    rms_norm_eps: 1e-6,
    rope_theta: 10000,
    max_position_embeddings: TOKENS,
    attention_bias: false,
    mlp_bias: false,
    tie_word_embeddings: false,
    torch_dtype: 'float16',
  });
  write('training.json', {
    text: 'the six novels of Jane Austen, the last twentieth of them (of Pride and Prejudice) for evaluation alone',
    command: 'npm run train:language-model',
    fields: FIELDS,
    nats: report.runs[0].lengths.map((/** @type {{ length: number, loss: number }} */ { length, loss }) => ({ length, loss })),
  });
  const weights = readSafetensors(readFileSync(join(created, 'weights.safetensors')));
  writeFileSync(join(out, 'model.safetensors'), writeSafetensors(asLlama(weights, size)));
}

const [folder, only] = process.argv.slice(2);
if (!folder) throw new Error('FOLDER is missing; expected the unpacked Debian package r-cran-janeaustenr');
if (only !== '--publish') {
  prepare(resolve(process.env.INIT_CWD ?? process.cwd(), folder));
  await train();
}
publish();
