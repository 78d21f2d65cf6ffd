// Golden cases for attention options: sinks, soft caps, sink tokens, q/k norms, masks and biases per query and key, segments.

import type { AttentionRequest, QkNorm, Tensor } from '../../engine/types/api.ts';
import type { AnyEncoding, DynamicRequest } from '../any-phasor.ts';
import {
  ATTENTION_TOLERANCE,
  type Case,
  consecutiveIntegers,
  GRADIENT_TOLERANCE,
  type Methods,
  type Runner,
  TABLE_TOLERANCE,
} from './case.ts';
import { alibiParams, halfSplitParams, interleavedParams } from './encoding.ts';
import { readInputs, readMask, readScale } from './request.ts';

function readEncoding(c: Case): AnyEncoding {
  const baseParam = c.has('base') ? { base: c.number('base') } : {};
  const encodings = {
    none: () => 'none',
    alibi: () => ({ id: 'alibi', ...alibiParams(c) }),
    rope_half_split: () => ({ id: 'rope', ...halfSplitParams(), ...baseParam }),
    rope_interleaved: () => ({ id: 'rope', ...interleavedParams(), ...baseParam }),
  };
  return (c.has('encoding') ? c.choice('encoding', encodings)() : 'none') as AnyEncoding;
}

function readNorm(c: Case): QkNorm {
  if (c.has('zero_row')) c.boolean('zero_row'); // only describes q or k, which has a row of zeros
  return {
    norm: c.choice('norm', { rms: 'rms', layer: 'layer', l2: 'l2' } as const),
    over: c.choice('over', { head: 'head', all_heads: 'all_heads' } as const),
    weightForm: c.choice('weight_form', { plain: 'plain', one_plus: 'one_plus' } as const),
    order: c.choice('order', { before_encoding: 'before_encoding', after_encoding: 'after_encoding' } as const),
    eps: c.number('eps'),
    ...(c.hasInput('q_weight') ? { qWeight: c.tensor('q_weight') } : {}),
    ...(c.hasInput('k_weight') ? { kWeight: c.tensor('k_weight') } : {}),
  };
}

function readRequest(c: Case): DynamicRequest<AttentionRequest> {
  const { q, k, v } = readInputs(c);
  return {
    q,
    k,
    v,
    encoding: readEncoding(c),
    ...readMask(c),
    ...readScale(c, q.shape[2] ?? 0),
    ...(c.has('window') ? { window: c.integer('window') } : {}),
    ...(c.has('q_offset') ? { positionOffset: c.number('q_offset') } : {}),
    ...(c.hasInput('sinks') ? { sinks: c.tensor('sinks') } : {}),
    ...(c.has('attn_mask') ? { attnMask: { shape: c.numbers('attn_mask_shape'), data: c.numbers('attn_mask') as (0 | 1)[] } } : {}),
    ...(c.hasInput('attn_bias') ? { attnBias: c.tensor('attn_bias') } : {}),
    ...(c.has('query_segments') ? { querySegmentIds: c.numbers('query_segments'), keySegmentIds: c.numbers('key_segments') } : {}),
    ...(c.has('softcap') ? { softcap: c.number('softcap') } : {}),
    ...(c.has('norm') ? { qkNorm: readNorm(c) } : {}),
    ...(c.has('sink_tokens') ? { sinkTokens: c.integer('sink_tokens') } : {}),
    ...(c.has('numbering') ? { sinkPositions: c.choice('numbering', { original: 'original', cache: 'cache' } as const) } : {}),
    ...(c.has('cap_includes_bias') ? { capIncludesBias: c.boolean('cap_includes_bias') } : {}),
  };
}

/**
 * Normalises `x` one channel at a time. The norm weights of the key are nonzero for only one channel, so each score is that channel of a
 * normalised query. The norm of the key is known, because it has only two nonzero values, 1 and -1.
 */
async function computeNormalised(phasor: Parameters<Runner>[1], x: Tensor, qkNorm: QkNorm, weight: Tensor | undefined): Promise<Tensor> {
  const [heads = 0, tokens = 0, width = 0] = x.shape;
  const { norm, eps = 0, weightForm } = qkNorm;
  const data = new Float32Array(heads * tokens * width);
  const weightOffset = weightForm === 'one_plus' ? 1 : 0;
  for (let channel = 0; channel < width; channel += 1) {
    const key = new Float32Array(width);
    key[channel] = 1;
    key[(channel + 1) % width] = -1;
    const keyNorm = norm === 'l2' ? Math.max(Math.SQRT2, eps) : Math.sqrt(2 / width + eps);
    const kWeight = Array.from(key, (_, c) => (c === channel ? 1 : 0) - weightOffset);
    const k = { shape: [1, 1, width], data: key };
    const request = { q: x, k, v: k, scale: keyNorm, qkNorm: { ...qkNorm, qWeight: weight, kWeight } };
    const { scores } = await phasor.attention({ ...request, outputs: ['scores'] });
    scores.data.forEach((score, row) => {
      data[row * width + channel] = score;
    });
  }
  return { shape: x.shape, data };
}

async function expectNormalised(c: Case, phasor: Parameters<Runner>[1], request: DynamicRequest<AttentionRequest>): Promise<void> {
  const { encoding, qkNorm, positionOffset } = request;
  let [q, k] = [request.q as Tensor, request.k as Tensor];
  if (qkNorm?.order === 'after_encoding' && encoding !== 'none') {
    const [queries = 0, keys = 0] = [q.shape[1], k.shape[1]];
    const firstPosition = positionOffset ?? keys - queries;
    const rotaryEncoding = encoding as AnyEncoding;
    q = await phasor.applyRotary(q, { encoding: rotaryEncoding, positions: consecutiveIntegers(queries, firstPosition), role: 'query' });
    k = await phasor.applyRotary(k, { encoding: rotaryEncoding, positions: consecutiveIntegers(keys), role: 'key' });
  }
  // Queries and keys are normalised in the same way, so keys are also passed to computeNormalised, which normalises queries.
  c.expect('normed_q', await computeNormalised(phasor, q, qkNorm as QkNorm, qkNorm?.qWeight as Tensor | undefined), TABLE_TOLERANCE);
  c.expect('normed_k', await computeNormalised(phasor, k, qkNorm as QkNorm, qkNorm?.kWeight as Tensor | undefined), TABLE_TOLERANCE);
}

/** Checks which keys are visible, and their distances. With ALiBi of slope 1, the bias is the negated distance. */
async function expectDistances(c: Case, phasor: Parameters<Runner>[1], request: DynamicRequest<AttentionRequest>): Promise<void> {
  const tokens = request.q.shape[1] ?? 0;
  const x = { shape: [1, tokens, 1], data: new Float32Array(tokens) };
  const encoding = { id: 'alibi', slopes: [1] } as AnyEncoding;
  const { scores, bias } = await phasor.attention({ ...request, q: x, k: x, v: x, encoding, outputs: ['scores', 'bias'] });
  const visibility = Array.from(scores.data, (score) => Number(Number.isFinite(score)));
  c.expect('visible', { shape: [tokens, tokens], data: visibility }, 0);
  c.expect(
    'distance',
    { shape: [tokens, tokens], data: visibility.map((isVisible, at) => (isVisible ? -(bias.data[at] as number) : 0)) },
    0,
  );
}

const forward: Runner = async (c, phasor) => {
  const request = readRequest(c);
  const { output, weights } = await phasor.attention({ ...request, outputs: ['weights'] });
  c.expect('weights', weights, ATTENTION_TOLERANCE, 'weights');
  c.expect('out', output, ATTENTION_TOLERANCE);
  if (c.hasOutput('scores')) {
    // The reference scores are unmasked.
    const { scores } = await phasor.attention({ ...request, mask: 'none', keyMask: undefined, window: undefined, outputs: ['scores'] });
    c.expect('scores', scores, ATTENTION_TOLERANCE);
  }
  if (c.hasOutput('visible')) await expectDistances(c, phasor, request);
  if (request.qkNorm) await expectNormalised(c, phasor, request);
  if (!c.hasOutput('sink_weight')) return;
  // Without `weights` in `outputs`, attention is computed in tiles instead of whole rows.
  const streamedResult = await phasor.attention({ ...request, outputs: ['sinkWeights'] });
  c.expect('out', streamedResult.output, ATTENTION_TOLERANCE);
  c.expect('sink_weight', streamedResult.sinkWeights, ATTENTION_TOLERANCE, 'weights');
};

const backward: Runner = async (c, phasor) => {
  const request = readRequest(c);
  const { dq, dk, dv, dSinks, dAttnBias, dqWeight, dkWeight } = await phasor.attentionBackward({
    ...request,
    dOutput: c.tensor('dout', 3),
  });
  c.expect('out', (await phasor.attention(request)).output, ATTENTION_TOLERANCE);
  c.expect('dq', dq, GRADIENT_TOLERANCE);
  c.expect('dk', dk, GRADIENT_TOLERANCE);
  c.expect('dv', dv, GRADIENT_TOLERANCE);
  if (dSinks) c.expect('dsinks', dSinks, GRADIENT_TOLERANCE);
  if (dAttnBias) c.expect('dattn_bias', dAttnBias, GRADIENT_TOLERANCE);
  if (dqWeight) c.expect('dq_weight', dqWeight, GRADIENT_TOLERANCE);
  if (dkWeight) c.expect('dk_weight', dkWeight, GRADIENT_TOLERANCE);
};

export const attentionOptions: Methods = {
  attention_sinks: forward,
  grad_attention_sinks: backward,
  attention_softcap: forward,
  grad_attention_softcap: backward,
  attention_qk_norm: forward,
  attention_sink_window: forward,
  grad_attention_qk_norm: backward,
  attention_masked: forward,
  grad_attention_masked: backward,
};
