// Writes the random llama of tests/real as an ONNX graph with float32 weights in a second file. It has the operators of published exports:
// com.microsoft.GroupQueryAttention with rotation and a cache, SimplifiedLayerNormalization.
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { config, randomTensors } from '../real/random-llama.mjs';
import { onnxModel } from './onnx-model.mjs';

const {
  hidden_size: hidden,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  num_key_value_heads: kvHeads,
  rms_norm_eps: eps,
} = config;
const dim = hidden / heads;
/** Number of positions in the tables of cosines and sines. */
const LENGTH = 1024;

/** (rows, columns) -> (columns, rows) */
function transposed(values, rows, columns) {
  const out = new Float32Array(values.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) out[column * rows + row] = values[row * columns + column];
  return out;
}

const rotation = (f) =>
  Float32Array.from({ length: LENGTH * (dim / 2) }, (_, n) => {
    const [position, pair] = [Math.floor(n / (dim / 2)), n % (dim / 2)];
    return f(position * config.rope_theta ** ((-2 * pair) / dim));
  });

function nodes() {
  const all = [];
  const add = (op, inputs, output, attributes = {}, domain = '') =>
    all.push({ op, domain, inputs, outputs: [output].flat(), attributes }) && [output].flat()[0];
  const norm = (x, weight, output) => add('SimplifiedLayerNormalization', [x, weight], output, { axis: -1, epsilon: { float: eps } });
  const product = (x, weight) => add('MatMul', [x, weight], `${weight} product`);
  let x = add('Gather', ['embedding', 'ids'], 'embedded');
  for (let layer = 0; layer < layers; layer++) {
    const weight = (part) => `model.layers.${layer}.${part}.weight`;
    const own = (name) => `${name} ${layer}`;
    const normed = norm(x, weight('input_layernorm'), own('normed'));
    const [q, k, v] = ['q', 'k', 'v'].map((name) => product(normed, weight(`self_attn.${name}_proj`)));
    const attended = add(
      'GroupQueryAttention',
      [q, k, v, own('past keys'), own('past values'), 'last', 'total', 'cosines', 'sines'],
      [own('attended'), own('keys'), own('values')],
      { num_heads: heads, kv_num_heads: kvHeads, do_rotary: 1, rotary_interleaved: 0 },
      'com.microsoft',
    );
    x = add('Add', [x, product(attended, weight('self_attn.o_proj'))], own('after attention'));
    const again = norm(x, weight('post_attention_layernorm'), own('normed again'));
    const gate = product(again, weight('mlp.gate_proj'));
    const silu = add('Mul', [gate, add('Sigmoid', [gate], own('sigmoid'))], own('silu'));
    const gated = add('Mul', [silu, product(again, weight('mlp.up_proj'))], own('gated'));
    x = add('Add', [x, product(gated, weight('mlp.down_proj'))], own('after mlp'));
  }
  const last = add('Gather', [norm(x, 'model.norm.weight', 'normed at last'), 'end'], 'last row', { axis: 1 });
  add('Gemm', [last, 'embedding'], 'logits', { transB: 1 });
  return all;
}

/** Writes the graph to `path` and its weights to `path`.data. @param {string} path */
export function writeOnnx(path) {
  const data = openSync(`${path}.data`, 'w');
  const tensors = {};
  let begin = 0;
  const add = (name, shape, values, type = 'float32') => {
    tensors[name] = { type, shape, begin, size: values.byteLength };
    begin += writeSync(data, values);
  };
  for (const { name, shape, bits } of randomTensors()) {
    const values = new Float32Array(Uint32Array.from(bits, (value) => value << 16).buffer);
    const [rows, columns] = shape;
    if (name === 'model.embed_tokens.weight') add('embedding', shape, values);
    else if (shape.length === 1) add(name, shape, values);
    else add(name, [columns, rows], transposed(values, rows, columns));
  }
  add('cosines', [LENGTH, dim / 2], rotation(Math.cos));
  add('sines', [LENGTH, dim / 2], rotation(Math.sin));
  add('end', [], new BigInt64Array([-1n]), 'int64');
  closeSync(data);
  const cache = (names, length) =>
    names.flatMap((name) => Array.from({ length: layers }, (_, layer) => [`${name} ${layer}`, { shape: [1, kvHeads, length, dim] }]));
  const model = onnxModel({
    nodes: nodes(),
    inputs: {
      ids: { type: 'int64', shape: [1, 'tokens'] },
      last: { type: 'int32', shape: [1] },
      total: { type: 'int32', shape: [] },
      ...Object.fromEntries(cache(['past keys', 'past values'], 'past')),
    },
    outputs: { logits: { shape: [1, config.vocab_size] }, ...Object.fromEntries(cache(['keys', 'values'], 'all')) },
    opsets: { '': 17, 'com.microsoft': 1 },
    weights: { file: 'model.onnx.data', tensors },
  });
  writeFileSync(path, model);
}
