// BERT: learned positions, token type embeddings, post-norm; attention is bidirectional.

import { activation } from './activation.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Answer, type Family, heads } from './family.ts';
import { addPositions } from './learned-positions.ts';
import { add, layerNorm, linear, type Matrix, map, rowsOf } from './matrix.ts';
import { positionsOf } from './positions.ts';

// The head: dense, activation, layer norm, and the tied embedding with a separate bias.
function predict(model: Checkpoint, x: Matrix, act: (x: number) => number, epsilon: number): Matrix {
  const transformed = map(linear(x, ...model.pair('cls.predictions.transform.dense')), act);
  const normed = layerNorm(transformed, model.norm('cls.predictions.transform.LayerNorm'), epsilon);
  const [embedding] = model.head('cls.predictions.decoder', 'embeddings.word_embeddings.weight', true);
  return linear(normed, embedding, model.weight('cls.predictions.bias'));
}

export const bert: Family = {
  prefix: 'bert.',
  aside: /pooler\.|position_ids$|^cls\.seq_relationship\./,
  causal: false,
  async run(model, { ids, types }, attention, phasor): Promise<Answer> {
    const count = model.number('num_attention_heads');
    const epsilon = model.number('layer_norm_eps', 1e-12);
    const act = activation(model.word('hidden_act', 'gelu'));
    const normed = (x: Matrix, name: string) => layerNorm(x, model.norm(name), epsilon);

    const tokens = rowsOf(model.weight('embeddings.word_embeddings.weight'), ids);
    const sentences = rowsOf(model.weight('embeddings.token_type_embeddings.weight'), types);
    const table = model.weight('embeddings.position_embeddings.weight');
    const positions = ids.map((_, i) => i);
    const { encoding } = await positionsOf(model, phasor);
    let x = normed(await addPositions(phasor, add(tokens, sentences), encoding, table, positions), 'embeddings.LayerNorm');
    const states = [x];
    for (let layer = 0; layer < model.number('num_hidden_layers'); layer += 1) {
      const prefix = `encoder.layer.${layer}`;
      const [q, k, v] = ['query', 'key', 'value'].map((name) => heads(linear(x, ...model.pair(`${prefix}.attention.self.${name}`)), count));
      const attended = await attention.self(layer, { q: q!, k: k!, v: v!, encoding: 'none', causal: false });
      x = normed(add(x, linear(attended, ...model.pair(`${prefix}.attention.output.dense`))), `${prefix}.attention.output.LayerNorm`);
      const hidden = map(linear(x, ...model.pair(`${prefix}.intermediate.dense`)), act);
      x = normed(add(x, linear(hidden, ...model.pair(`${prefix}.output.dense`))), `${prefix}.output.LayerNorm`);
      states.push(x);
    }
    return { output: model.has('cls.predictions.bias') ? predict(model, x, act, epsilon) : x, states };
  },
};
