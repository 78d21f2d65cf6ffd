// GPT-J: rotary positions that rotate adjacent channels in a part of the head; attention and feed-forward in parallel after one layer norm.

import { activation } from './activation.ts';
import { type Family, heads } from './family.ts';
import { add, layerNorm, linear, type Matrix, map, rowsOf } from './matrix.ts';
import { positionsOf } from './positions.ts';

export const gptj: Family = {
  prefix: 'transformer.',
  aside: /\.attn\.(masked_)?bias$/,
  causal: true,
  async run(model, { ids }, attention, phasor) {
    const count = model.number('n_head');
    const act = activation(model.word('activation_function', 'gelu_new'));
    const { encoding } = await positionsOf(model, phasor);
    const normed = (x: Matrix, name: string) => layerNorm(x, model.norm(name), model.number('layer_norm_epsilon', 1e-5));

    let x = rowsOf(model.weight('wte.weight'), ids);
    const states = [x];
    for (let layer = 0; layer < model.number('n_layer'); layer += 1) {
      const prefix = `h.${layer}`;
      const y = normed(x, `${prefix}.ln_1`);
      const [q, k, v] = ['q', 'k', 'v'].map((name) => heads(linear(y, ...model.pair(`${prefix}.attn.${name}_proj`)), count));
      const attended = await attention.self(layer, { q: q!, k: k!, v: v!, encoding, causal: true });
      const hidden = map(linear(y, ...model.pair(`${prefix}.mlp.fc_in`)), act);
      x = add(x, linear(attended, ...model.pair(`${prefix}.attn.out_proj`)), linear(hidden, ...model.pair(`${prefix}.mlp.fc_out`)));
      states.push(x);
    }
    const last = normed(x, 'ln_f');
    return { output: linear(last, ...model.head('lm_head', 'wte.weight', false)), states: [...states.slice(0, -1), last] };
  },
};
