// OPT: learned positions, counted among the tokens that are not padding, with an offset of two rows. The 350m model is post-norm, and its embeddings
// are narrower than its layers.

import { activation } from './activation.ts';
import { type Family, heads, nothing } from './family.ts';
import { addPositions } from './learned-positions.ts';
import { add, layerNorm, linear, type Matrix, map, rowsOf } from './matrix.ts';
import { positionsOf } from './positions.ts';

const epsilon = 1e-5; // default of torch.nn.LayerNorm; config.json has no key for it

export const opt: Family = {
  prefix: 'model.decoder.',
  aside: nothing,
  causal: true,
  async run(model, { ids, first, attentionMask }, attention, phasor) {
    const count = model.number('num_attention_heads');
    const normBefore = model.flag('do_layer_norm_before', true);
    const act = activation(model.word('activation_function', 'relu'));

    const tokens = rowsOf(model.weight('embed_tokens.weight'), ids);
    const projected = model.has('project_in.weight') ? linear(tokens, ...model.pair('project_in')) : tokens;
    // Padding gets -1 and reads row 1 of the table, as in transformers.
    const { encoding, positionIds } = await positionsOf(model, phasor);
    const { data: positions } = await phasor.positionIds({ attentionMask, ...positionIds, pastLength: first });
    let x = await addPositions(phasor, projected, encoding, model.weight('embed_positions.weight'), positions);
    const states = [x];
    for (let layer = 0; layer < model.number('num_hidden_layers'); layer += 1) {
      const prefix = `layers.${layer}`;
      const block = async (norm: string, compute: (x: Matrix) => Promise<Matrix>) => {
        const normed = (y: Matrix) => layerNorm(y, model.norm(`${prefix}.${norm}`), epsilon);
        x = normBefore ? add(x, await compute(normed(x))) : normed(add(x, await compute(x)));
      };
      await block('self_attn_layer_norm', async (y) => {
        const [q, k, v] = ['q', 'k', 'v'].map((name) => heads(linear(y, ...model.pair(`${prefix}.self_attn.${name}_proj`)), count));
        const attended = await attention.self(layer, { q: q!, k: k!, v: v!, encoding: 'none', causal: true });
        return linear(attended, ...model.pair(`${prefix}.self_attn.out_proj`));
      });
      // Despite its name, the second norm of each block.
      await block('final_layer_norm', async (y) =>
        linear(map(linear(y, ...model.pair(`${prefix}.fc1`)), act), ...model.pair(`${prefix}.fc2`)),
      );
      states.push(x);
    }
    if (model.has('final_layer_norm.weight')) x = layerNorm(x, model.norm('final_layer_norm'), epsilon);
    if (model.has('project_out.weight')) x = linear(x, ...model.pair('project_out'));
    return { output: linear(x, ...model.head('lm_head', 'embed_tokens.weight', true)), states: [...states.slice(0, -1), x] };
  },
};
