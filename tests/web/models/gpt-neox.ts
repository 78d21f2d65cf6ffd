// GPT-NeoX and Pythia: rotary positions on a part of the channels; attention and feed-forward in parallel, each after a separate layer norm, or
// sequential; query, key and value concatenated within each head.

import { splitQkv } from '../../../web/engine/request/split-heads.ts';
import { activation } from './activation.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Family, tokenMajor } from './family.ts';
import { add, layerNorm, linear, type Matrix, map, rowsOf } from './matrix.ts';
import { frequencies, positionsOf } from './positions.ts';

const widthOfHead = (model: Checkpoint) => model.number('hidden_size') / model.number('num_attention_heads');

export const gptNeox: Family = {
  prefix: 'gpt_neox.',
  aside: /\.attention\.(bias|masked_bias|rotary_emb\.inv_freq)$/,
  causal: true,
  async run(model, { ids }, attention, phasor) {
    const count = model.number('num_attention_heads');
    const parallel = model.flag('use_parallel_residual', true);
    const act = activation(model.word('hidden_act', 'gelu'));
    const { encoding } = await positionsOf(model, phasor);
    const normed = (x: Matrix, name: string) => layerNorm(x, model.norm(name), model.number('layer_norm_eps', 1e-5));

    let x = rowsOf(model.weight('embed_in.weight'), ids);
    const states = [x];
    for (let layer = 0; layer < model.number('num_hidden_layers'); layer += 1) {
      const prefix = `layers.${layer}`;
      const qkv = linear(normed(x, `${prefix}.input_layernorm`), ...model.pair(`${prefix}.attention.query_key_value`)); // (T, head x (q | k | v))
      const views = splitQkv(tokenMajor(qkv), { heads: count, layout: 'heads_qkv_dim' });
      const attended = await attention.self(layer, { ...views, encoding, causal: true });
      const residual = add(x, linear(attended, ...model.pair(`${prefix}.attention.dense`)));
      const hidden = linear(
        normed(parallel ? x : residual, `${prefix}.post_attention_layernorm`),
        ...model.pair(`${prefix}.mlp.dense_h_to_4h`),
      );
      x = add(residual, linear(map(hidden, act), ...model.pair(`${prefix}.mlp.dense_4h_to_h`)));
      states.push(x);
    }
    const last = normed(x, 'final_layer_norm');
    return { output: linear(last, ...model.head('embed_out', 'embed_in.weight', false)), states: [...states.slice(0, -1), last] };
  },
  positions: frequencies(widthOfHead),
};
