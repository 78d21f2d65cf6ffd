// The backward pass of attention, and of a layer with learned positions (the golden family `grad`).

import type { Params, Tensor } from '../../engine/types/api.ts';
import type { AnyEncoding } from '../any-phasor.ts';
import { ATTENTION_TOLERANCE, type Case, GRADIENT_TOLERANCE, type Methods, type Runner } from './case.ts';
import { alibiParams, halfSplitParams, interleavedParams, relativeBiasParams, shawParams, t5Params } from './encoding.ts';
import { readInputs, readMask, readScale } from './request.ts';

/** Creates a method that compares gradients. The loss is the sum of out * dout. */
const gradientRunner =
  (id: string, params: (c: Case) => Params = () => ({})): Runner =>
  async (c, phasor) => {
    const { q, k, v } = readInputs(c);
    const encoding = { id, ...params(c), ...(id === 'rope' && c.has('base') ? { base: c.number('base') } : {}) } as AnyEncoding;
    const request = { q, k, v, encoding, ...readMask(c), ...readScale(c, q.shape[2] ?? 0) };
    const { dq, dk, dv, parameters } = await phasor.attentionBackward({ ...request, dOutput: c.tensor('dout', 3) });
    c.expect('out', (await phasor.attention(request)).output, ATTENTION_TOLERANCE);
    c.expect('dq', dq, GRADIENT_TOLERANCE);
    c.expect('dk', dk, GRADIENT_TOLERANCE);
    c.expect('dv', dv, GRADIENT_TOLERANCE);
    for (const [name, tensor] of Object.entries(parameters)) c.expect(`d${name}`, tensor, GRADIENT_TOLERANCE);
  };

/** Compares the gradients of token embeddings and learned positions, in a layer with identity projections. */
const learnedPositions: Runner = async (c, phasor) => {
  const [ids, tokens, table] = [c.input('ids').data, c.tensor('tok_table', 2), c.tensor('pos_table', 2)];
  c.expectParam('projections', 'identity');
  const heads = c.integer('heads');
  const width = tokens.shape[1] ?? 0;
  c.expectParam('n', ids.length);
  c.expectParam('D', width);
  const { mask = 'none', keyMask } = readMask(c);
  if (keyMask) c.fail('key_keep is not supported in a layer');
  const x = { shape: [ids.length, width], data: new Float32Array(ids.length * width) };
  ids.forEach((id, t) => {
    x.data.set(tokens.data.subarray(id * width, (id + 1) * width), t * width);
  });
  const scale = c.param('scale') === '1/sqrt(D)' ? { scale: 1 / Math.sqrt(width) } : readScale(c, width / heads);
  const request = { x, heads, mask, encoding: { id: 'learned', table }, ...scale };
  const { dx, parameters } = await phasor.selfAttentionBackward({ ...request, dOutput: c.tensor('dout', 2) });
  c.expect('out', (await phasor.selfAttention(request)).output, ATTENTION_TOLERANCE);
  // The gradient of a token that occurs several times is the sum over its occurrences.
  const dTokens = new Float32Array(tokens.data.length);
  ids.forEach((id, t) => {
    for (let i = 0; i < width; i += 1) dTokens[id * width + i] = (dTokens[id * width + i] ?? 0) + (dx.data[t * width + i] ?? Number.NaN);
  });
  c.expect('dtok_table', { shape: tokens.shape, data: dTokens }, GRADIENT_TOLERANCE);
  c.expect('dpos_table', parameters.table as Tensor, GRADIENT_TOLERANCE);
};

export const gradients: Methods = {
  grad_attention_none: gradientRunner('none'),
  grad_attention_alibi: gradientRunner('alibi', alibiParams),
  grad_attention_t5: gradientRunner('t5', t5Params),
  grad_attention_plain_b: gradientRunner('relative_bias', relativeBiasParams),
  grad_attention_shaw: gradientRunner('shaw', shawParams),
  grad_attention_rope_half: gradientRunner('rope', halfSplitParams),
  grad_attention_rope_interleaved: gradientRunner('rope', interleavedParams),
  grad_learned_pe: learnedPositions,
};
