// GPT-2: learned positions, layer norms before attention and feed-forward, weights [in, out].

import { splitQkv } from '../../../web/engine/request/split-heads.ts';
import { activation } from './activation.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Family, tokenMajor } from './family.ts';
import { addPositions } from './learned-positions.ts';
import { add, convolution, layerNorm, linear, type Matrix, map, rowsOf } from './matrix.ts';
import { positionsOf } from './positions.ts';

const dense = (model: Checkpoint, x: Matrix, name: string) => {
  const { weight, bias } = model.norm(name);
  return convolution(x, weight, bias);
};

export const gpt2: Family = {
  prefix: 'transformer.',
  aside: /\.attn\.(masked_)?bias$/,
  causal: true,
  async run(model, { ids, first, attentionMask }, attention, phasor) {
    const count = model.number('n_head');
    const epsilon = model.number('layer_norm_epsilon', 1e-5);
    const act = activation(model.word('activation_function', 'gelu_new'));

    const tokens = rowsOf(model.weight('wte.weight'), ids);
    // As in `generate`: padding on the left does not shift a text.
    const positions = await phasor.positionIds({ attentionMask, mode: 'bloom', pastLength: first });
    const { encoding } = await positionsOf(model, phasor, { layerIdx: 0 });
    let x = await addPositions(phasor, tokens, encoding, model.weight('wpe.weight'), positions);
    const states = [x];
    for (let layer = 0; layer < model.number('n_layer'); layer += 1) {
      const prefix = `h.${layer}`;
      const qkv = dense(model, layerNorm(x, model.norm(`${prefix}.ln_1`), epsilon), `${prefix}.attn.c_attn`); // (T, q | k | v)
      const views = splitQkv(tokenMajor(qkv), { heads: count, layout: 'qkv_heads_dim' });
      const { scale } = await positionsOf(model, phasor, { layerIdx: layer });
      const attended = await attention.self(layer, { ...views, ...(scale && { scale }), encoding: 'none', causal: true });
      x = add(x, dense(model, attended, `${prefix}.attn.c_proj`));
      const hidden = map(dense(model, layerNorm(x, model.norm(`${prefix}.ln_2`), epsilon), `${prefix}.mlp.c_fc`), act);
      x = add(x, dense(model, hidden, `${prefix}.mlp.c_proj`));
      states.push(x);
    }
    const last = layerNorm(x, model.norm('ln_f'), epsilon);
    return { output: linear(last, ...model.head('lm_head', 'wte.weight', true)), states: [...states.slice(0, -1), last] };
  },
};
