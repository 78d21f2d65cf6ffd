// Writes the random llama of tests/real as a GGUF file in Q8_0, which llama.cpp also reads. The words of its vocabulary are the ids.
import { closeSync, openSync, writeSync } from 'node:fs';
import { config, randomTensors } from '../real/random-llama.mjs';

const ALIGNMENT = 32;
const F32 = 0;
const Q8_0 = 8;
const NAMES = /** @type {const} */ ({
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'ffn_norm',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
});

/** The GGUF name of a tensor. @param {string} name its name in transformers */
function nameOf(name) {
  if (name === 'model.embed_tokens.weight') return 'token_embd.weight';
  if (name === 'model.norm.weight') return 'output_norm.weight';
  const [, layer, part] = /layers\.(\d+)\.(.*)\.weight/.exec(name) ?? [];
  return `blk.${layer}.${NAMES[/** @type {keyof typeof NAMES} */ (part)]}.weight`;
}

/** @param {number} value @param {8 | 4} bytes */
function whole(value, bytes) {
  const out = Buffer.alloc(bytes);
  if (bytes === 8) out.writeBigUInt64LE(BigInt(value));
  else out.writeUInt32LE(value);
  return out;
}
/** @param {string} text */
const string = (text) => Buffer.concat([whole(Buffer.byteLength(text), 8), Buffer.from(text)]);
/** @param {number} value */
const u32 = (value) => [4, whole(value, 4)];
/** @param {number} value */
const f32 = (value) => [6, Buffer.from(new Float32Array([value]).buffer)];
/** @param {string} text */
const word = (text) => [8, string(text)];
/** @param {number} type of the elements @param {Buffer[]} elements */
const list = (type, elements) => [9, Buffer.concat([whole(type, 4), whole(elements.length, 8), ...elements])];

/** The vocabulary: <unk>, <s>, </s>, all bytes, then words. */
export const tokens = Array.from({ length: config.vocab_size }, (_, id) => {
  if (id < 3) return /** @type {string} */ (['<unk>', '<s>', '</s>'][id]);
  return id < 259 ? `<0x${(id - 3).toString(16).toUpperCase().padStart(2, '0')}>` : `\u2581t${id}`;
});
const types = tokens.map((_, id) => (id === 0 ? 2 : id < 3 ? 3 : id < 259 ? 6 : 1));

const metadata = Object.entries({
  'general.architecture': word('llama'),
  'general.file_type': u32(7),
  'general.quantization_version': u32(2),
  'llama.block_count': u32(config.num_hidden_layers),
  'llama.context_length': u32(config.max_position_embeddings),
  'llama.embedding_length': u32(config.hidden_size),
  'llama.feed_forward_length': u32(config.intermediate_size),
  'llama.attention.head_count': u32(config.num_attention_heads),
  'llama.attention.head_count_kv': u32(config.num_key_value_heads),
  'llama.attention.layer_norm_rms_epsilon': f32(config.rms_norm_eps),
  'llama.rope.freq_base': f32(config.rope_theta),
  'llama.rope.dimension_count': u32(config.hidden_size / config.num_attention_heads),
  'llama.vocab_size': u32(config.vocab_size),
  'tokenizer.ggml.model': word('llama'),
  'tokenizer.ggml.tokens': list(8, tokens.map(string)),
  'tokenizer.ggml.scores': list(
    6,
    tokens.map((_, id) => Buffer.from(new Float32Array([-id]).buffer)),
  ),
  'tokenizer.ggml.token_type': list(
    5,
    types.map((type) => whole(type, 4)),
  ),
  'tokenizer.ggml.add_space_prefix': [7, Buffer.of(0)],
  'tokenizer.ggml.bos_token_id': u32(1),
  'tokenizer.ggml.eos_token_id': u32(2),
  'tokenizer.ggml.unknown_token_id': u32(0),
});

/** The bits of the nearest half-precision value, for normal numbers. @param {number} value */
function half(value) {
  const [bits = 0] = new Uint32Array(new Float32Array([value]).buffer);
  return ((bits >>> 16) & 0x8000) | (((bits & 0x7fffffff) - 0x38000000 + 0x1000) >> 13);
}

/** @param {Uint16Array} bits of BF16 */
const floats = (bits) => new Float32Array(Uint32Array.from(bits, (value) => value << 16).buffer);

/** Q8_0: blocks of a half-precision scale and 32 signed bytes. @param {Float32Array} values */
function quantised(values) {
  const out = new Uint8Array((values.length / 32) * 34);
  for (let from = 0, to = 0; from < values.length; from += 32, to += 34) {
    let largest = 0;
    for (let at = from; at < from + 32; at++) largest = Math.max(largest, Math.abs(values[at] ?? 0));
    const scale = largest / 127;
    const bits = half(scale);
    out[to] = bits;
    out[to + 1] = bits >> 8;
    for (let at = 0; at < 32; at++) out[to + 2 + at] = Math.round((values[from + at] ?? 0) / scale);
  }
  return out;
}

/** Reorders the rows of each head: llama.cpp interleaves the two halves. @param {Float32Array} values @param {number} heads */
function interleaved(values, heads) {
  const [rows, width] = [values.length / config.hidden_size / heads, config.hidden_size];
  const out = new Float32Array(values.length);
  for (let row = 0; row < heads * rows; row++) {
    const [head, within] = [Math.floor(row / rows), row % rows];
    const from = head * rows + (within % 2) * (rows / 2) + (within >> 1);
    out.set(values.subarray(from * width, (from + 1) * width), row * width);
  }
  return out;
}

/** @param {string} path */
export function writeGguf(path) {
  const all = [...randomTensors()].map(({ name, shape, bits }) => {
    const count = bits.length;
    return { name, shape, bits, bytes: shape.length === 1 ? 4 * count : (count / 32) * 34 };
  });
  const file = openSync(path, 'w');
  let offset = 0;
  const infos = all.map(({ name, shape, bytes }) => {
    const info = [string(nameOf(name)), whole(shape.length, 4), ...shape.toReversed().map((extent) => whole(extent, 8))];
    info.push(whole(shape.length === 1 ? F32 : Q8_0, 4), whole(offset, 8));
    offset += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return Buffer.concat(info);
  });
  const keys = metadata.map(([key, [type, value]]) => Buffer.concat([string(key), whole(Number(type), 4), /** @type {Buffer} */ (value)]));
  const header = Buffer.concat([Buffer.from('GGUF'), whole(3, 4), whole(all.length, 8), whole(keys.length, 8), ...keys, ...infos]);
  /** @param {number} size */
  const pad = (size) => writeSync(file, new Uint8Array((ALIGNMENT - (size % ALIGNMENT)) % ALIGNMENT));
  writeSync(file, header);
  pad(header.length);
  for (const { name, shape, bits, bytes } of all) {
    const values = floats(bits);
    const heads = name.includes('q_proj') ? config.num_attention_heads : name.includes('k_proj') ? config.num_key_value_heads : 0;
    const ordered = heads > 0 ? interleaved(values, heads) : values;
    writeSync(file, shape.length === 1 ? ordered : quantised(ordered));
    pad(bytes);
  }
  closeSync(file);
}
