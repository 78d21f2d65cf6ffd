// T5: a learned bias per bucket of distances, stored in the first block and added in every block of its stack; scores that are not divided by
// sqrt(head_dim); RMS norms; a feed-forward layer that is gated in version 1.1.

import type { AnyPhasor } from '../contract-checks.ts';
import { activation } from './activation.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Answer, type Attention, type Family, heads } from './family.ts';
import { add, linear, type Matrix, map, multiply, rmsNorm, rowsOf } from './matrix.ts';
import { positionsOf } from './positions.ts';

const encodingOf = async (model: Checkpoint, phasor: AnyPhasor, stack: Stack) => ({
  ...(await positionsOf(model, phasor, { stack })).encoding,
  table: model.weight(`${stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight`),
});

type Stack = 'encoder' | 'decoder';

function feedForward(model: Checkpoint, x: Matrix, prefix: string): Matrix {
  const projection = model.word('feed_forward_proj', 'relu');
  // "gated-gelu" means the tanh approximation of gelu, as in the first files of version 1.1.
  const gated = /^gated-(.+)$/.exec(projection)?.[1];
  const dense = (y: Matrix, name: string) => linear(y, model.weight(`${prefix}.DenseReluDense.${name}.weight`));
  if (!gated) return dense(map(dense(x, 'wi'), activation(projection)), 'wo');
  const act = activation(gated === 'gelu' ? 'gelu_new' : gated);
  return dense(multiply(map(dense(x, 'wi_0'), act), dense(x, 'wi_1')), 'wo');
}

/** Runs the encoder, or the decoder with the output of the encoder. */
async function run(
  model: Checkpoint,
  stack: Stack,
  ids: readonly number[],
  attention: Attention,
  phasor: AnyPhasor,
  encoded?: Matrix,
): Promise<Answer> {
  const count = model.number('num_heads');
  const epsilon = model.number('layer_norm_epsilon', 1e-6);
  const encoding = await encodingOf(model, phasor, stack);
  const blocks = stack === 'decoder' ? model.number('num_decoder_layers', model.number('num_layers')) : model.number('num_layers');

  let x = rowsOf(model.weight('shared.weight'), ids);
  const states = [x];
  for (let block = 0; block < blocks; block += 1) {
    const prefixOf = (index: number) => `${stack}.block.${block}.layer.${index}`;
    const normed = (index: number) => rmsNorm(x, model.weight(`${prefixOf(index)}.layer_norm.weight`), epsilon);
    const project = (input: Matrix, name: string) => heads(linear(input, model.weight(`${name}.weight`)), count);

    const selfAttention = `${prefixOf(0)}.SelfAttention`;
    const y = normed(0);
    const qkv = { q: project(y, `${selfAttention}.q`), k: project(y, `${selfAttention}.k`), v: project(y, `${selfAttention}.v`) };
    const attended = await attention.self(block, { ...qkv, encoding, causal: stack === 'decoder' });
    x = add(x, linear(attended, model.weight(`${selfAttention}.o.weight`)));
    if (encoded) {
      const crossAttention = `${prefixOf(1)}.EncDecAttention`;
      const read = {
        q: project(normed(1), `${crossAttention}.q`),
        k: project(encoded, `${crossAttention}.k`),
        v: project(encoded, `${crossAttention}.v`),
      };
      x = add(x, linear(await attention.cross({ ...read, scale: 1 }), model.weight(`${crossAttention}.o.weight`)));
    }
    const last = encoded ? 2 : 1;
    x = add(x, feedForward(model, normed(last), prefixOf(last)));
    states.push(x);
  }
  const last = rmsNorm(x, model.weight(`${stack}.final_layer_norm.weight`), epsilon);
  return { output: last, states: [...states.slice(0, -1), last] };
}

export const t5: Family = {
  prefix: '',
  aside: /^(decoder\.|lm_head\.)/,
  causal: false,
  run: (model, { ids }, attention, phasor) => run(model, 'encoder', ids, attention, phasor),
  async positions(model, phasor, offsets) {
    const encoding = await encodingOf(model, phasor, 'encoder');
    const first = Math.min(...offsets);
    const keyPositions = offsets.map((offset) => offset - first);
    const count = model.number('num_heads');
    const { data } = await phasor.attentionBias({ encoding, heads: count, queryPositions: [-first], keyPositions });
    return { bias: data };
  },
};

/** The logits of a whole T5, version 1.1: the decoder reads `encoded`. */
export async function t5Decoder(
  model: Checkpoint,
  ids: readonly number[],
  encoded: Matrix,
  attention: Attention,
  phasor: AnyPhasor,
): Promise<Matrix> {
  const { output } = await run(model, 'decoder', ids, attention, phasor, encoded);
  const [weight] = model.head('lm_head', 'shared.weight', true);
  return linear(output, weight);
}
