// phasor/model: a model that does not fit the memory of WebAssembly is rejected before its weights are read. Its files contain only headers.
import { expect, it } from 'vitest';
import { inspectModel, openModel, openModelWorker, type ReadableFile } from '../../web/engine/model.node.ts';

const config = {
  model_type: 'llama',
  hidden_size: 4096,
  intermediate_size: 14_336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128_256,
  max_position_embeddings: 8192,
  rms_norm_eps: 1e-5,
  rope_theta: 500_000,
  hidden_act: 'silu',
  tie_word_embeddings: false,
};

/** A safetensors file of these shapes in BF16: a header, and 16 GB of data that read as zeros. */
function declared(onRead: (begin: number, end: number) => void): ReadableFile {
  const { hidden_size: hidden, intermediate_size: inner, vocab_size: vocabulary } = config;
  const kv = 1024;
  const layers = Array.from({ length: config.num_hidden_layers }, (_, layer) =>
    Object.entries({
      input_layernorm: [hidden],
      'self_attn.q_proj': [hidden, hidden],
      'self_attn.k_proj': [kv, hidden],
      'self_attn.v_proj': [kv, hidden],
      'self_attn.o_proj': [hidden, hidden],
      post_attention_layernorm: [hidden],
      'mlp.gate_proj': [inner, hidden],
      'mlp.up_proj': [inner, hidden],
      'mlp.down_proj': [hidden, inner],
    }).map(([name, shape]) => [`model.layers.${layer}.${name}.weight`, shape] as const),
  ).flat();
  const allTensors = [
    ['model.embed_tokens.weight', [vocabulary, hidden]],
    ...layers,
    ['model.norm.weight', [hidden]],
    ['lm_head.weight', [vocabulary, hidden]],
  ] as const;
  let size = 0;
  const header: Record<string, object> = {};
  for (const [name, shape] of allTensors) {
    const bytes = 2 * shape.reduce((product, extent) => product * extent, 1);
    header[name] = { dtype: 'BF16', shape, data_offsets: [size, size + bytes] };
    size += bytes;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const begins = new Uint8Array(8 + text.length);
  new DataView(begins.buffer).setBigUint64(0, BigInt(text.length), true);
  begins.set(text, 8);
  return {
    name: 'model.safetensors',
    size: begins.length + size,
    read: async (begin, end) => {
      onRead(begin, end);
      return begin < begins.length ? begins.subarray(begin, end) : new Uint8Array(end - begin);
    },
  };
}

it('inspectModel reports the required memory from the headers', async () => {
  const info = await inspectModel([declared(() => {})], { config });
  expect(info.parameters).toBe(8_030_261_248);
  expect(info.bytes).toBeGreaterThan(16e9);
});

it.each([openModel, openModelWorker])('%o rejects the model with one sentence before its weights are read', async (open) => {
  let header = 0;
  let weights = 0;
  const file = declared((begin, end) => {
    if (begin < 1e5) header += end - begin;
    else weights += end - begin;
  });
  await expect(open([file], { config })).rejects.toMatchObject({
    code: 'resource_exhausted',
    argument: 'weights',
    message: 'weights: require 16061 MB of memory; expected at most 4278 MB',
  });
  expect(header).toBeGreaterThan(0);
  expect(weights).toBe(0);
});
