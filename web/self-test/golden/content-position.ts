// Positions that depend on token content, and RoPE with remapped distances (the golden families content_position and remap).

import type { AttentionRequest, Params, Tensor, TensorInput } from '../../engine/types/api.ts';
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
import { readInputs, readScale } from './request.ts';

type Request = DynamicRequest<AttentionRequest> & { readonly encoding: AnyEncoding };

/** Reads a request. In this family, mask names have no suffix "+pad"; key_keep alone masks padding keys. */
function readRequest(c: Case, encoding: AnyEncoding, names: readonly string[]): Request {
  const { q, k, v } = readInputs(c);
  const tokenTensors: { [name: string]: TensorInput } = {};
  for (const name of names) if (c.hasInput(name)) tokenTensors[name] = c.tensor(name);
  return {
    q,
    k,
    v,
    encoding,
    ...(names.length > 0 ? { tokenTensors } : {}),
    mask: c.choice('mask', { causal: 'causal', bidir: 'none' } as const),
    ...(c.has('key_keep') ? { keyMask: c.numbers('key_keep') as (0 | 1)[] } : {}),
    ...readScale(c, q.shape[2] ?? 0),
    ...(c.has('q_offset') ? { positionOffset: c.number('q_offset') } : {}),
    ...(c.has('window') && names.length > 0 ? { window: c.number('window') } : {}),
  };
}

/** Sets masked entries to 0, as in the golden files. */
const zeroMaskedEntries = (numbers: Tensor, scores: Tensor): Tensor => ({
  shape: numbers.shape,
  data: numbers.data.map((value, i) => (scores.data[i] === Number.NEGATIVE_INFINITY ? 0 : value)),
});

const forwardRunner =
  (read: (c: Case) => Request): Runner =>
  async (c, phasor) => {
    const request = read(c);
    const actual = await phasor.attention({ ...request, outputs: ['weights', 'scores', 'bias'] });
    const scores = actual.scores as Tensor;
    if (c.hasOutput('decay')) c.expect('decay', zeroMaskedEntries(actual.bias as Tensor, scores), ATTENTION_TOLERANCE);
    if (c.hasOutput('scores')) c.expect('scores', zeroMaskedEntries(scores, scores), ATTENTION_TOLERANCE);
    c.expect('weights', actual.weights as Tensor, ATTENTION_TOLERANCE, 'weights');
    c.expect('out', actual.output, ATTENTION_TOLERANCE);
    c.expect('out', (await phasor.attention(request)).output, ATTENTION_TOLERANCE);
  };

const backwardRunner =
  (read: (c: Case) => Request): Runner =>
  async (c, phasor) => {
    const request = read(c);
    const { dq, dk, dv, tokenTensors } = await phasor.attentionBackward({ ...request, dOutput: c.tensor('dout', 3) });
    c.expect('out', (await phasor.attention(request)).output, ATTENTION_TOLERANCE);
    c.expect('dq', dq, GRADIENT_TOLERANCE);
    c.expect('dk', dk, GRADIENT_TOLERANCE);
    c.expect('dv', dv, GRADIENT_TOLERANCE);
    for (const [name, tensor] of Object.entries(tokenTensors)) c.expect(`d${name}`, tensor, GRADIENT_TOLERANCE);
  };

function readForgettingRequest(c: Case): Request {
  const ropeLayouts = { none: undefined, rope_half_split: 'half_split', rope_interleaved: 'interleaved' } as const;
  const ropeLayout = c.has('encoding') ? c.choice('encoding', ropeLayouts) : undefined;
  const rotationParams: Params = ropeLayout ? { rotation: 'rope', layout: ropeLayout, base: c.number('base') } : {};
  return readRequest(c, { id: 'forgetting', ...rotationParams }, ['log_gates']);
}

const readPathRequest = (c: Case): Request =>
  readRequest(
    c,
    {
      id: 'path',
      normalise_w: c.boolean('normalise_w'),
      ...(c.has('eps') ? { eps: c.number('eps') } : {}),
      ...(c.has('gate_scaled') ? { gate_scaled: c.boolean('gate_scaled') } : {}),
    },
    ['w', 'beta', 'log_gates'],
  );

const readSelectiveRequest = (c: Case): Request =>
  readRequest(c, { id: 'rope_selective', base: c.number('base'), layout: c.text('layout'), temperature_max: c.number('temperature_max') }, [
    'steps',
    'gate',
  ]);

const selectiveRotation: Runner = async (c, phasor) => {
  const { q, k, encoding, tokenTensors } = readSelectiveRequest(c);
  c.expect('q', await phasor.applyRotary(q, { encoding, tokenTensors }), TABLE_TOLERANCE);
  c.expect('k', await phasor.applyRotary(k, { encoding, tokenTensors, role: 'key' }), TABLE_TOLERANCE);
  await forwardRunner(readSelectiveRequest)(c, phasor);
};

/** rope's parameter `factor` belongs to `scaling`, so the factor of leaky ReRoPE is the parameter `leak`. */
const remapNames = { factor: 'leak' } as const;
const remapParams = ['window', 'group', 'factor', 'sink_tokens', 'max_distance', 'chunk', 'max_position', 'training_length'] as const;

const remap: Runner = async (c, phasor) => {
  const params = remapParams
    .filter((name) => c.has(name))
    .map((name) => [name === 'factor' ? remapNames.factor : name, c.number(name)] as const);
  const encoding = { id: 'rope', remap: c.text('remap'), layout: c.text('layout'), base: c.number('base'), ...Object.fromEntries(params) };
  const request = readRequest(c, encoding, []);
  const [queries = 0, keys = 0] = [request.q.shape[1], request.k.shape[1]];
  const actual = await phasor.attention({ ...request, outputs: ['weights', 'scores'] });
  const scores = actual.scores as Tensor;
  const distances = await phasor.ropeDistances({
    encoding,
    dim: request.q.shape[2] ?? 0,
    queryPositions: consecutiveIntegers(queries, request.positionOffset ?? keys - queries),
    keyPositions: consecutiveIntegers(keys),
  });
  const firstHeadScores: Tensor = { shape: distances.shape, data: scores.data.subarray(0, queries * keys) };
  c.expect('distance', zeroMaskedEntries(distances, firstHeadScores), TABLE_TOLERANCE);
  c.expect(
    'visible',
    { shape: distances.shape, data: firstHeadScores.data.map((s) => (s === Number.NEGATIVE_INFINITY ? 0 : 1)) },
    TABLE_TOLERANCE,
  );
  if (c.hasOutput('weights')) c.expect('weights', actual.weights as Tensor, ATTENTION_TOLERANCE, 'weights');
  c.expect('out', actual.output, ATTENTION_TOLERANCE);
  c.expect('out', (await phasor.attention(request)).output, ATTENTION_TOLERANCE);
};

export const contentPositions: Methods = {
  attention_forgetting: forwardRunner(readForgettingRequest),
  grad_attention_forgetting: backwardRunner(readForgettingRequest),
  attention_path: forwardRunner(readPathRequest),
  grad_attention_path: backwardRunner(readPathRequest),
  rope_selective: selectiveRotation,
  grad_rope_selective: backwardRunner(readSelectiveRequest),
  rope_self_extend: remap,
  rope_rerope: remap,
  rope_leaky_rerope: remap,
  rope_lm_infinite: remap,
  rope_dual_chunk: remap,
};
