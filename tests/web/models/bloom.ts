// BLOOM: ALiBi, a layer norm on the embeddings, and query, key and value concatenated within each head.

import { splitQkv } from '../../../web/engine/request/split-heads.ts';
import { activation } from './activation.ts';
import { type Family, nothing, tokenMajor } from './family.ts';
import { add, layerNorm, linear, map, rowsOf } from './matrix.ts';
import { positionsOf } from './positions.ts';

export const bloom: Family = {
  prefix: 'transformer.',
  aside: nothing,
  causal: true,
  async run(model, { ids }, attention, phasor) {
    const count = model.number(['n_head', 'num_attention_heads']);
    const epsilon = model.number('layer_norm_epsilon', 1e-5);
    const act = activation('gelu_new');
    const { encoding } = await positionsOf(model, phasor);
    if (model.flag('apply_residual_connection_post_layernorm', false)) throw new Error('sums after the layer norm are not known here');

    let x = layerNorm(rowsOf(model.weight('word_embeddings.weight'), ids), model.norm('word_embeddings_layernorm'), epsilon);
    const states = [x];
    for (let layer = 0; layer < model.number(['n_layer', 'num_hidden_layers']); layer += 1) {
      const prefix = `h.${layer}`;
      const normed = layerNorm(x, model.norm(`${prefix}.input_layernorm`), epsilon);
      const qkv = linear(normed, ...model.pair(`${prefix}.self_attention.query_key_value`)); // (T, head x (q | k | v))
      const views = splitQkv(tokenMajor(qkv), { heads: count, layout: 'heads_qkv_dim' });
      const attended = await attention.self(layer, { ...views, encoding, causal: true });
      x = add(x, linear(attended, ...model.pair(`${prefix}.self_attention.dense`)));
      const attentionNormed = layerNorm(x, model.norm(`${prefix}.post_attention_layernorm`), epsilon);
      const hidden = map(linear(attentionNormed, ...model.pair(`${prefix}.mlp.dense_h_to_4h`)), act);
      x = add(x, linear(hidden, ...model.pair(`${prefix}.mlp.dense_4h_to_h`)));
      states.push(x);
    }
    const last = layerNorm(x, model.norm('ln_f'), epsilon);
    return { output: linear(last, ...model.head('lm_head', 'word_embeddings.weight', true)), states: [...states.slice(0, -1), last] };
  },
  // The bias of the key at position 1 is the slope.
  async positions(model, phasor) {
    const { encoding } = await positionsOf(model, phasor);
    const { data } = await phasor.attentionBias({ encoding, heads: model.number(['n_head', 'num_attention_heads']), queries: 2, keys: 2 });
    return { slopes: data.filter((_, i) => i % 4 === 1) };
  },
};
