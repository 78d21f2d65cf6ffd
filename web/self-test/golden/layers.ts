// Attention layers: a layer whose embeddings have an added table, and layers of other libraries (the golden family bias_other).

import type { Tensor } from '../../engine/types/api.ts';
import type { AnyEncoding } from '../any-phasor.ts';
import { ATTENTION_TOLERANCE, COMPOSITE_TOLERANCE, consecutiveIntegers, type Methods, type Runner, TABLE_TOLERANCE } from './case.ts';
import { joinHeads, layerNorm, linear, type Matrix, splitHeads, toMatrix, toNumbers } from './matrix.ts';
import { readMask, readScale } from './request.ts';

/** Runs a layer with identity projections, in which sinusoids are added to the embeddings. */
const addedSinusoids: Runner = async (c, phasor) => {
  const x = c.tensor('x', 2);
  c.expectParam('projections', 'identity');
  const heads = c.integer('heads');
  const { mask = 'none', keyMask } = readMask(c);
  if (keyMask) c.fail('key_keep is not supported in a layer');
  const headDim = (x.shape[1] ?? 0) / heads;
  c.expectParam('n', x.shape[0]);
  c.expectParam('D', x.shape[1]);
  c.expectParam('d', headDim);
  const actual = await phasor.selfAttention({
    x,
    heads,
    mask,
    encoding: { id: 'sinusoidal', ...(c.has('base') ? { base: c.number('base') } : {}) },
    positionOffset: c.numberOr('position_offset', 0),
    ...readScale(c, headDim),
    outputs: ['weights'],
  });
  c.expect('weights', actual.weights as Tensor, ATTENTION_TOLERANCE, 'weights');
  c.expect('out', splitHeads(toMatrix({ shape: actual.output.shape, data: [...actual.output.data] }), heads), ATTENTION_TOLERANCE);
};

/** Computes torch.nn.MultiheadAttention: input projections, attention without positions, and the output projection. */
const multiHead: Runner = async (c, phasor) => {
  const [x, w, wOut] = ['x', 'in_proj_weight', 'out_proj_weight'].map((name) => toMatrix(c.input(name))) as [Matrix, Matrix, Matrix];
  const width = x[0]?.length ?? 0;
  const [heads, paddedKey] = [c.integer('heads'), c.integer('padded_key')];
  c.expectParam('n', x.length);
  c.expectParam('D', width);
  const hasKeyMask = c.choice('mask', { plain: false, causal: false, keypad: true });
  if (hasKeyMask !== paddedKey >= 0 || paddedKey >= x.length) c.fail('params mask and padded_key disagree');
  if (w.length !== 3 * width) c.fail('input in_proj_weight does not have 3 * D rows');
  const projectionBias = c.hasInput('in_proj_bias') ? c.input('in_proj_bias').data : Array<number>(3 * width).fill(0);
  const project = (index: number) => {
    const rowRange = [index * width, (index + 1) * width] as const;
    return splitHeads(linear(x, w.slice(...rowRange), projectionBias.slice(...rowRange)), heads);
  };
  const actual = await phasor.attention({
    q: project(0),
    k: project(1),
    v: project(2),
    mask: c.text('mask') === 'causal' ? 'causal' : 'none',
    ...(hasKeyMask ? { keyMask: x.map((_, key) => (key === paddedKey ? 0 : 1)) } : {}),
    outputs: ['weights'],
  });
  const out = linear(joinHeads(actual.output), wOut, c.hasInput('out_proj_bias') ? c.input('out_proj_bias').data : undefined);
  c.expect('weights', actual.weights as Tensor, COMPOSITE_TOLERANCE, 'weights');
  c.expect('out', toNumbers(out), COMPOSITE_TOLERANCE);
};

const cope: Runner = async (c, phasor) => {
  const [q, k, v, gateKey] = [c.tensor('q', 3), c.tensor('k', 3), c.tensor('v', 3), c.tensor('key_gate')];
  c.expectParam('n', q.shape[1]);
  c.expectParam('d', q.shape[2]);
  if (!c.boolean('causal')) c.fail('param causal: only true is supported');
  const encoding: AnyEncoding = {
    id: 'cope',
    npos: c.number('npos'),
    pos_emb: c.tensor('pos_emb'),
    placement: c.boolean('divide_pos_logits_by_sqrt_d') ? 'inside' : 'outside',
    ...(c.boolean('separate_gate_key') ? { gate_key: gateKey } : {}),
  };
  const actual = await phasor.attention({ q, k, v, mask: 'causal', encoding, outputs: ['weights'] });
  c.expect('weights', actual.weights as Tensor, COMPOSITE_TOLERANCE, 'weights');
  c.expect('out', actual.output, COMPOSITE_TOLERANCE);
};

const transformerXl: Runner = async (c, phasor) => {
  const [x, memory, w, wOut] = ['x', 'mem', 'W_qkv', 'W_o'].map((name) => toMatrix(c.input(name))) as [Matrix, Matrix, Matrix, Matrix];
  const heads = c.integer('heads');
  const totalWidth = heads * c.integer('d_head');
  const allTokens = [...memory, ...x];
  c.expectParam('n', x.length);
  c.expectParam('mem', memory.length);
  if (c.boolean('pre_lnorm')) c.fail('param pre_lnorm: only false is supported');
  if (!c.boolean('causal')) c.fail('param causal: only true is supported');
  if (w.length !== 3 * totalWidth) c.fail('input W_qkv does not have 3 * heads * d_head rows');
  const project = (rows: Matrix, index: number) => splitHeads(linear(rows, w.slice(index * totalWidth, (index + 1) * totalWidth)), heads);
  const { output } = await phasor.attention({
    q: project(x, 0),
    k: project(allTokens, 1),
    v: project(allTokens, 2),
    mask: 'causal',
    encoding: { id: 'transformer_xl', u: c.tensor('u_r_w_bias'), v: c.tensor('v_r_r_bias'), w_r: c.tensor('W_r') },
  });
  const residualSum = linear(joinHeads(output), wOut).map((row, r) => row.map((value, i) => value + (x[r]?.[i] ?? Number.NaN)));
  c.expect('out', toNumbers(layerNorm(residualSum, c.number('layernorm_eps'))), COMPOSITE_TOLERANCE);
  // Sinusoids at the distances keys - 1, ..., 0.
  const positions = consecutiveIntegers(allTokens.length).reverse();
  c.expect(
    'r_sin_cos',
    await phasor.positionTable({ encoding: { id: 'sinusoidal', layout: 'concatenated' }, dim: x[0]?.length ?? 0, positions }),
    TABLE_TOLERANCE,
  );
};

const deberta: Runner = async (c, phasor) => {
  const [x, relative] = [toMatrix(c.input('x')), toMatrix(c.input('rel_embeddings'))];
  const heads = c.integer('heads');
  c.expectParam('n', x.length);
  c.expectParam('d_head', (x[0]?.length ?? 0) / heads);
  c.expectParam('scale', '1/sqrt(d_head*(1+#terms))');
  const project = (rows: Matrix, name: string) =>
    splitHeads(linear(rows, toMatrix(c.input(`${name}.weight`)), c.input(`${name}.bias`).data), heads);
  const terms = c.list('pos_att_type');
  if (terms.some((term) => term !== 'c2p' && term !== 'p2c')) c.fail(`param pos_att_type: ${JSON.stringify(terms)} is not supported`);
  const { weights, output } = await phasor.attention({
    q: project(x, 'query_proj'),
    k: project(x, 'key_proj'),
    v: project(x, 'value_proj'),
    encoding: {
      id: 'deberta',
      position_buckets: Math.max(c.number('position_buckets'), 0),
      max_relative_positions: c.number('max_relative_positions'),
      terms: ['c2p', 'p2c'].filter((term) => terms.includes(term)).join('_'),
      ...(terms.includes('c2p') ? { pos_key: project(relative, 'pos_key_proj') } : {}),
      ...(terms.includes('p2c') ? { pos_query: project(relative, 'pos_query_proj') } : {}),
    },
    outputs: ['weights'],
  });
  c.expect('weights', weights as Tensor, COMPOSITE_TOLERANCE, 'weights');
  c.expect('out', toNumbers(joinHeads(output)), COMPOSITE_TOLERANCE);
};

export const layers: Methods = {
  attention_sinusoidal_added: addedSinusoids,
  multi_head_attention_torch: multiHead,
  cope,
  transformer_xl_layer: transformerXl,
  deberta_disentangled: deberta,
};
