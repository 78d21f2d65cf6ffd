// Writes a llama with the shapes of SmolLM2-135M and random BF16 weights to a folder: 269 MB, as large as the published files.
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export const config = {
  model_type: 'llama',
  hidden_size: 576,
  intermediate_size: 1536,
  num_hidden_layers: 30,
  num_attention_heads: 9,
  num_key_value_heads: 3,
  vocab_size: 49_152,
  max_position_embeddings: 8192,
  rms_norm_eps: 1e-5,
  rope_theta: 100_000,
  hidden_act: 'silu',
  tie_word_embeddings: true,
};

/** @returns {[name: string, shape: number[]][]} */
function tensors() {
  const { hidden_size: hidden, intermediate_size: intermediate, num_key_value_heads: kvHeads, num_attention_heads: heads } = config;
  const kv = (hidden / heads) * kvHeads;
  /** @type {[string, number[]][]} */
  const layers = Array.from({ length: config.num_hidden_layers }, (_, layer) => {
    const name = (/** @type {string} */ part) => `model.layers.${layer}.${part}.weight`;
    return /** @type {[string, number[]][]} */ ([
      [name('input_layernorm'), [hidden]],
      [name('self_attn.q_proj'), [hidden, hidden]],
      [name('self_attn.k_proj'), [kv, hidden]],
      [name('self_attn.v_proj'), [kv, hidden]],
      [name('self_attn.o_proj'), [hidden, hidden]],
      [name('post_attention_layernorm'), [hidden]],
      [name('mlp.gate_proj'), [intermediate, hidden]],
      [name('mlp.up_proj'), [intermediate, hidden]],
      [name('mlp.down_proj'), [hidden, intermediate]],
    ]);
  }).flat();
  return [['model.embed_tokens.weight', [config.vocab_size, hidden]], ...layers, ['model.norm.weight', [hidden]]];
}

/** The number of random values, which are repeated in the tensors; a prime. */
const COUNT = 1_000_003;

/** BF16 bits of uniform values in [offset - 0.035, offset + 0.035), of standard deviation 0.02, by xorshift32. @param {number} offset @param {number} seed */
function numbers(offset, seed) {
  const floats = new Float32Array(COUNT);
  let state = seed;
  for (let index = 0; index < COUNT; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    floats[index] = offset + ((state >>> 0) / 2 ** 32 - 0.5) * 0.07;
  }
  return Uint16Array.from(new Uint32Array(floats.buffer), (value) => value >>> 16);
}

/** The tensors in file order, with values as BF16 bits. @returns {Generator<{ name: string, shape: number[], bits: Uint16Array }>} */
export function* randomTensors(seed = 1) {
  const [weights, norms] = [numbers(0, seed), numbers(1, seed)];
  let begin = 0;
  for (const [name, shape] of tensors()) {
    const from = shape.length === 1 ? norms : weights;
    const bits = new Uint16Array(shape.reduce((product, extent) => product * extent, 1));
    for (let index = 0; index < bits.length; begin %= COUNT) {
      const count = Math.min(bits.length - index, COUNT - begin);
      bits.set(from.subarray(begin, begin + count), index);
      index += count;
      begin += count;
    }
    yield { name, shape, bits };
  }
}

/** Writes config.json and model.safetensors. @param {string} folder */
export function writeRandomLlama(folder) {
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  /** @type {Record<string, object>} */
  const header = {};
  let size = 0;
  for (const [name, shape] of tensors()) {
    const bytes = 2 * shape.reduce((product, extent) => product * extent, 1);
    header[name] = { dtype: 'BF16', shape, data_offsets: [size, size + bytes] };
    size += bytes;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const file = openSync(join(folder, 'model.safetensors'), 'w');
  writeSync(file, length);
  writeSync(file, text);
  for (const { bits } of randomTensors()) writeSync(file, bits);
  closeSync(file);
}
