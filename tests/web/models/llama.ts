// Llama and Qwen 2: rotary positions, RMS norms, a gated feed-forward layer, grouped-query attention. The two differ in their files only: Qwen 2 has
// biases on queries, keys and values.

import { activation } from './activation.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Family, heads } from './family.ts';
import { add, linear, type Matrix, map, multiply, rmsNorm, rowsOf } from './matrix.ts';
import { frequencies, positionsOf } from './positions.ts';

const widthOfHead = (model: Checkpoint) => model.number('head_dim', model.number('hidden_size') / model.number('num_attention_heads'));

export const llama: Family = {
  prefix: 'model.',
  aside: /rotary_emb\.inv_freq$/,
  causal: true,
  async run(model, { ids }, attention, phasor) {
    const count = model.number('num_attention_heads');
    const shared = model.number('num_key_value_heads', count);
    const act = activation(model.word('hidden_act', 'silu'));
    const { encoding } = await positionsOf(model, phasor);
    const normed = (x: Matrix, name: string) => rmsNorm(x, model.weight(`${name}.weight`), model.number('rms_norm_eps', 1e-6));

    let x = rowsOf(model.weight('embed_tokens.weight'), ids);
    const states = [x];
    for (let layer = 0; layer < model.number('num_hidden_layers'); layer += 1) {
      const prefix = `layers.${layer}`;
      const y = normed(x, `${prefix}.input_layernorm`);
      const project = (name: string, headCount: number) => heads(linear(y, ...model.pair(`${prefix}.self_attn.${name}_proj`)), headCount);
      const qkv = { q: project('q', count), k: project('k', shared), v: project('v', shared) };
      const attended = await attention.self(layer, { ...qkv, encoding, causal: true });
      x = add(x, linear(attended, ...model.pair(`${prefix}.self_attn.o_proj`)));
      const z = normed(x, `${prefix}.post_attention_layernorm`);
      const gate = map(linear(z, ...model.pair(`${prefix}.mlp.gate_proj`)), act);
      x = add(x, linear(multiply(gate, linear(z, ...model.pair(`${prefix}.mlp.up_proj`))), ...model.pair(`${prefix}.mlp.down_proj`)));
      states.push(x);
    }
    const last = normed(x, 'norm');
    return { output: linear(last, ...model.head('lm_head', 'embed_tokens.weight', false)), states: [...states.slice(0, -1), last] };
  },
  positions: frequencies(widthOfHead),
};
