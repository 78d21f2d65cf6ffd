// GGUF files of golden models: tensors of F32 under the names of llama.cpp, with metadata.
import { fileBytes, readTensors } from './checkpoint-files.ts';

/** A metadata value. A Float32Array of one element is a float32, not a list. */
type Value = number | string | readonly string[] | Float32Array;

/** Writes numbers and strings in little-endian order. */
class Writer {
  readonly #parts: Uint8Array[] = [];
  size = 0;

  bytes(part: Uint8Array): this {
    this.#parts.push(part);
    this.size += part.length;
    return this;
  }
  u32(value: number): this {
    return this.bytes(new Uint8Array(Uint32Array.of(value).buffer));
  }
  u64(value: number): this {
    return this.bytes(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  }
  text(value: string): this {
    const bytes = new TextEncoder().encode(value);
    return this.u64(bytes.length).bytes(bytes);
  }
  /** Writes a uint32, string or float32, or a list of strings or of float32. */
  value(value: Value): this {
    if (typeof value === 'string') return this.u32(8).text(value);
    if (typeof value === 'number') return this.u32(4).u32(value);
    if (value instanceof Float32Array && value.length === 1) return this.u32(6).bytes(new Uint8Array(value.buffer));
    this.u32(9);
    if (value instanceof Float32Array) return this.u32(6).u64(value.length).bytes(new Uint8Array(value.buffer));
    this.u32(8).u64(value.length);
    for (const entry of value) this.text(entry);
    return this;
  }
  pad(to: number): this {
    return this.bytes(new Uint8Array((to - (this.size % to)) % to));
  }
  all(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.size);
    let offset = 0;
    for (const part of this.#parts) {
      bytes.set(part, offset);
      offset += part.length;
    }
    return bytes;
  }
}

const NAMES: readonly (readonly [from: RegExp, to: string])[] = [
  [/^lm_head/, 'output'],
  [/^model\.embed_tokens/, 'token_embd'],
  [/^model\.norm/, 'output_norm'],
  [/^model\.layers\.(\d+)\./, 'blk.$1.'],
  [/input_layernorm/, 'attn_norm'],
  [/post_attention_layernorm/, 'ffn_norm'],
  [/mlp\.(\w+)_proj/, 'ffn_$1'],
  [/self_attn\.o_proj/, 'attn_output'],
  [/self_attn\.(\w)_proj/, 'attn_$1'],
];

/** qwen2-a as a GGUF file, with more metadata. */
export function qwenGguf(overrides: Readonly<Record<string, Value>> = {}): Uint8Array<ArrayBuffer> {
  const tensors = [...readTensors(fileBytes('qwen2-a/model.safetensors'))];
  const metadata: Record<string, Value> = {
    'general.architecture': 'qwen2',
    'qwen2.block_count': 2,
    'qwen2.context_length': 64,
    'qwen2.embedding_length': 24,
    'qwen2.feed_forward_length': 40,
    'qwen2.attention.head_count': 3,
    'qwen2.attention.head_count_kv': 1,
    'qwen2.attention.layer_norm_rms_epsilon': Float32Array.of(1e-6),
    'qwen2.rope.freq_base': Float32Array.of(10_000),
    ...overrides,
  };
  const writer = new Writer().bytes(new TextEncoder().encode('GGUF')).u32(3).u64(tensors.length).u64(Object.keys(metadata).length);
  for (const [key, value] of Object.entries(metadata)) writer.text(key).value(value);
  let begin = 0;
  const data = new Writer();
  for (const [name, { shape, data: bytes }] of tensors) {
    writer.text(NAMES.reduce((text, [from, to]) => text.replace(from, to), name)).u32(shape.length);
    for (const extent of shape.toReversed()) writer.u64(extent);
    writer.u32(0).u64(begin); // F32
    data.bytes(bytes).pad(32);
    begin = data.size;
  }
  return writer.pad(32).bytes(data.all()).all();
}
