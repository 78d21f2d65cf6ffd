// Attention with each encoding: the family attention, and the layers of bias_other.

import type { AttentionRequest, AttentionResult, EncodingChoice, Params, Tensor } from '../../../web/engine/types.ts';
import { ATTENTION, type Case, COMPOSITE, GRADIENT, type Methods, type Runner, SAMPLE, SUM, TABLE, upward } from './case.ts';
import { joinHeads, linear, type Matrix, matrixOf, normalised, numbersOf, splitHeads } from './matrix.ts';

type Engine = Parameters<Runner>[1];
type Changing<T> = { -readonly [K in keyof T]: T[K] };

/** "bidir", "causal", each perhaps with "+pad", which says that key_keep hides keys. */
function readMask(c: Case): Pick<AttentionRequest, 'mask' | 'keyMask'> {
  const [side, pad] = c.word('mask', {
    bidir: ['none', false],
    causal: ['causal', false],
    'bidir+pad': ['none', true],
    'causal+pad': ['causal', true],
  } as const);
  if (c.has('key_keep') !== pad) c.fail('params mask and key_keep disagree');
  return { mask: side, ...(pad ? { keyMask: c.numbers('key_keep') } : {}) };
}

/** Always given to the package, because some encodings (T5) have a scale of their own. */
function readScale(c: Case, width: number): { scale?: number } {
  if (!c.has('scale')) return {};
  if (typeof c.param('scale') === 'number') return { scale: c.number('scale') };
  return { scale: c.word('scale', { '1/sqrt(d)': 1 / Math.sqrt(width) }) };
}

function checkSizes(c: Case, q: Tensor, k: Tensor): void {
  for (const name of ['heads', 'q_heads']) c.claims(name, q.shape[0]);
  for (const name of ['q_len', 'n']) c.claims(name, q.shape[1]);
  for (const name of ['k_len', 'n']) c.claims(name, k.shape[1]);
  c.claims('kv_heads', k.shape[0]);
  c.claims('d', q.shape[2]);
}

/** Positions that start elsewhere than at 0. Only encodings of queries and keys could notice, and they are turned beforehand. */
async function place(phasor: Engine, request: Changing<AttentionRequest>, first: number): Promise<void> {
  const { id, ...params } = request.encoding as { id: string } & Params;
  if (phasor.encodings.find((encoding) => encoding.id === id)?.injection !== 'query_key') return;
  const [queries = 0, keys = 0] = [request.q.shape[1], request.k.shape[1]];
  const firstQuery = first + (request.offset ?? keys - queries);
  request.q = await phasor.rotate(request.q, { encoding: id, ...params, positions: upward(queries, firstQuery), role: 'query' });
  request.k = await phasor.rotate(request.k, { encoding: id, ...params, positions: upward(keys, first), role: 'key' });
  request.encoding = 'none';
}

/** splitmix64, as multiples of 1/256 in [-2, 2). */
function draw(seed: number, shape: readonly number[], factor: number): Tensor {
  let state = BigInt(seed);
  const next = () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) >> 54n);
  };
  const count = shape.reduce((total, extent) => total * extent, 1);
  return { shape, data: Float32Array.from({ length: count }, () => ((next() - 512) / 256) * factor) };
}

const isDrawn = (c: Case): boolean => c.has('seed_q');
const firstOf = (c: Case, ...names: string[]): number => c.integer(names.find((name) => c.has(name)) ?? (names[0] as string));

/** The input, or where params have seed_<name>, numbers drawn from it. `multiplier` is a param. */
function givenOrDrawn(c: Case, name: string, shape: () => readonly number[], multiplier?: string): Tensor {
  if (!c.has(`seed_${name}`)) return c.tensor(name);
  const extents = c.has(`${name}_shape`) ? c.numbers(`${name}_shape`) : shape();
  return draw(c.integer(`seed_${name}`), extents, multiplier ? c.numberOr(multiplier, 1) : 1);
}

function readInputs(c: Case): { q: Tensor; k: Tensor; v: Tensor } {
  const size = (names: readonly string[], tokens: string) => () => [firstOf(c, ...names), firstOf(c, tokens, 'n'), c.integer('d')];
  const [queries, keys] = [size(['q_heads', 'heads'], 'q_len'), size(['kv_heads', 'q_heads', 'heads'], 'k_len')];
  const [q, k] = [givenOrDrawn(c, 'q', queries, 'q_k_multiplier'), givenOrDrawn(c, 'k', keys, 'q_k_multiplier')];
  const v = givenOrDrawn(c, 'v', keys);
  if ([q, k, v].some(({ shape }) => shape.length !== 3)) c.fail('inputs q, k and v are not [head, token, channel]');
  checkSizes(c, q, k);
  return { q, k, v };
}

/** Answers too large for a file: sums, and the numbers at some places. */
function expectSamples(c: Case, { output, weights }: { output: Tensor; weights: Tensor }): void {
  const at = (name: string, { shape, data }: Tensor): Tensor => {
    const places = c.input(name).data;
    const [, rows = 0, columns = 0] = shape;
    const flat = upward(places.length / 3).map((n) => {
      const [head = 0, row = 0, column = 0] = places.slice(3 * n, 3 * n + 3);
      return (head * rows + row) * columns + column;
    });
    return { shape: [flat.length], data: Float32Array.from(flat, (place) => data[place] ?? c.fail(`input ${name} names a missing place`)) };
  };
  const total = ({ data }: Tensor, f: (x: number) => number) => data.reduce((sum, x) => sum + f(x), 0);
  const number = (name: string, value: number, tolerance: number) => {
    if (c.hasOutput(name)) c.expect(name, { shape: [], data: [value] }, tolerance);
  };
  const [sum, size] = [total(output, (x) => x), total(output, Math.abs)];
  // Relative to the sum of sizes, because what is summed may cancel.
  number('out_sum', sum, (SUM * size) / (1 + Math.abs(sum)));
  number('out_abs_sum', size, SUM);
  number(
    'out_sq_sum',
    total(output, (x) => x * x),
    SUM,
  );
  number(
    'weight_sq_sum',
    total(weights, (x) => x * x),
    SAMPLE,
  );
  const rows = weights.data.length / (weights.shape[2] ?? 0);
  number('row_entropy_mean', total(weights, (w) => (w > 0 ? -w * Math.log(w) : 0)) / rows, SAMPLE);
  c.expect('out_samples', at('out_index', output), SAMPLE);
  c.expect('weight_samples', at('weight_index', weights), SAMPLE, 'weights');
}

const attention =
  (id: string, params: (c: Case) => Params = () => ({})): Runner =>
  async (c, phasor) => {
    const { q, k, v } = readInputs(c);
    const request: Changing<AttentionRequest> = {
      q,
      k,
      v,
      ...readMask(c),
      ...readScale(c, q.shape[2] ?? 0),
      ...(c.has('q_offset') ? { offset: c.number('q_offset') } : {}),
      encoding: { id, ...params(c), ...(id === 'rope' && c.has('base') ? { base: c.number('base') } : {}) } as EncodingChoice,
      want: ['weights'],
    };
    const shift = c.numberOr('position_offset', 0);
    if (shift !== 0) await place(phasor, request, shift);
    const compare = ({ output, weights }: AttentionResult) => {
      if (isDrawn(c)) return expectSamples(c, { output, weights: weights as Tensor });
      c.expect('weights', weights as Tensor, ATTENTION, 'weights');
      c.expect('out', output, ATTENTION);
    };
    const got = await phasor.attention(request);
    compare(got);
    // Rows of weights are whole; without them the keys stream through in tiles.
    const { output } = await phasor.attention({ ...request, want: [] });
    compare({ ...got, output });
  };

/** L = sum of out * dout. */
const gradient =
  (id: string, params: (c: Case) => Params = () => ({})): Runner =>
  async (c, phasor) => {
    const { q, k, v } = readInputs(c);
    const encoding = { id, ...params(c), ...(id === 'rope' && c.has('base') ? { base: c.number('base') } : {}) } as EncodingChoice;
    const request = { q, k, v, encoding, ...readMask(c), ...readScale(c, q.shape[2] ?? 0) };
    const { dq, dk, dv, parameters } = await phasor.attentionGradient({ ...request, dOutput: c.tensor('dout', 3) });
    c.expect('out', (await phasor.attention(request)).output, ATTENTION);
    c.expect('dq', dq, GRADIENT);
    c.expect('dk', dk, GRADIENT);
    c.expect('dv', dv, GRADIENT);
    for (const [name, tensor] of Object.entries(parameters)) c.expect(`d${name}`, tensor, GRADIENT);
  };

/** Token embeddings plus trained positions, every projection the identity: a layer. */
const learnedPe: Runner = async (c, phasor) => {
  const [ids, tokens, table] = [c.input('ids').data, c.tensor('tok_table', 2), c.tensor('pos_table', 2)];
  c.claims('projections', 'identity');
  const heads = c.integer('heads');
  const width = tokens.shape[1] ?? 0;
  c.claims('n', ids.length);
  c.claims('D', width);
  const { mask = 'none', keyMask } = readMask(c);
  if (keyMask) c.fail('a layer has no key_keep');
  const x = { shape: [ids.length, width], data: new Float32Array(ids.length * width) };
  ids.forEach((id, t) => {
    x.data.set(tokens.data.subarray(id * width, (id + 1) * width), t * width);
  });
  const scale = c.param('scale') === '1/sqrt(D)' ? { scale: 1 / Math.sqrt(width) } : readScale(c, width / heads);
  const request = { x, heads, mask, encoding: { id: 'learned', table }, ...scale };
  const { dx, parameters } = await phasor.layerGradient({ ...request, dOutput: c.tensor('dout', 2) });
  c.expect('out', (await phasor.layer(request)).output, ATTENTION);
  // A token that is there twice gets both gradients.
  const dTokens = new Float32Array(tokens.data.length);
  ids.forEach((id, t) => {
    for (let i = 0; i < width; i += 1) dTokens[id * width + i] = (dTokens[id * width + i] ?? 0) + (dx.data[t * width + i] ?? Number.NaN);
  });
  c.expect('dtok_table', { shape: tokens.shape, data: dTokens }, GRADIENT);
  c.expect('dpos_table', parameters.table as Tensor, GRADIENT);
};

/** The rows of each head from `first` on. */
function rowsFrom({ shape, data }: Tensor, first: number): Tensor {
  const [heads = 0, rows = 0, width = 0] = shape;
  const kept = upward(heads).flatMap((h) => [...data.subarray((h * rows + first) * width, (h + 1) * rows * width)]);
  return { shape: [heads, rows - first, width], data: Float32Array.from(kept) };
}

/**
 * Rows that are padding themselves are not in the answer. Counting positions from the first token or from the first key is the same
 * after the softmax; BLOOM's own numbers are compared by alibi_bloom_row.
 */
const bloom: Runner = async (c, phasor) => {
  const [q, k, v] = [c.tensor('q', 3), c.tensor('k', 3), c.tensor('v', 3)];
  checkSizes(c, q, k);
  if (!c.text('mask').startsWith('causal+left pad')) c.fail(`param mask: "${c.text('mask')}" is not known`);
  const keyMask = c.numbers('key_keep');
  const encoding = { id: 'alibi', form: 'row_shifted' };
  const got = await phasor.attention({ q, k, v, encoding, mask: 'causal', keyMask, ...readScale(c, q.shape[2] ?? 0), want: ['weights'] });
  const first = keyMask.indexOf(1);
  c.expect('weights', rowsFrom(got.weights as Tensor, first), ATTENTION, 'weights');
  c.expect('out', rowsFrom(got.output, first), ATTENTION);
};

/** Embeddings with the table added, every projection the identity: a layer. */
const sinusoidalAdded: Runner = async (c, phasor) => {
  const x = c.tensor('x', 2);
  c.claims('projections', 'identity');
  const heads = c.integer('heads');
  const { mask = 'none', keyMask } = readMask(c);
  if (keyMask) c.fail('a layer has no key_keep');
  const width = (x.shape[1] ?? 0) / heads;
  c.claims('n', x.shape[0]);
  c.claims('D', x.shape[1]);
  c.claims('d', width);
  const got = await phasor.layer({
    x,
    heads,
    mask,
    encoding: { id: 'sinusoidal', ...(c.has('base') ? { base: c.number('base') } : {}) },
    offset: c.numberOr('position_offset', 0),
    ...readScale(c, width),
    want: ['weights'],
  });
  c.expect('weights', got.weights as Tensor, ATTENTION, 'weights');
  c.expect('out', splitHeads(matrixOf({ shape: got.output.shape, data: [...got.output.data] }), heads), ATTENTION);
};

// ---- whole layers of other libraries -------------------------------------------------------------------------------

/** torch.nn.MultiheadAttention: projections around attention without positions. */
const multiHead: Runner = async (c, phasor) => {
  const [x, w, wOut] = ['x', 'in_proj_weight', 'out_proj_weight'].map((name) => matrixOf(c.input(name))) as [Matrix, Matrix, Matrix];
  const width = x[0]?.length ?? 0;
  const [heads, padded] = [c.integer('heads'), c.integer('padded_key')];
  c.claims('n', x.length);
  c.claims('D', width);
  const hidden = c.word('mask', { plain: false, causal: false, keypad: true });
  if (hidden !== padded >= 0 || padded >= x.length) c.fail('params mask and padded_key disagree');
  if (w.length !== 3 * width) c.fail('input in_proj_weight does not have 3 D rows');
  const bias = c.hasInput('in_proj_bias') ? c.input('in_proj_bias').data : Array<number>(3 * width).fill(0);
  const project = (which: number) => {
    const part = [which * width, (which + 1) * width] as const;
    return splitHeads(linear(x, w.slice(...part), bias.slice(...part)), heads);
  };
  const got = await phasor.attention({
    q: project(0),
    k: project(1),
    v: project(2),
    mask: c.text('mask') === 'causal' ? 'causal' : 'none',
    ...(hidden ? { keyMask: x.map((_, key) => (key === padded ? 0 : 1)) } : {}),
    want: ['weights'],
  });
  const out = linear(joinHeads(got.output), wOut, c.hasInput('out_proj_bias') ? c.input('out_proj_bias').data : undefined);
  c.expect('weights', got.weights as Tensor, COMPOSITE, 'weights');
  c.expect('out', numbersOf(out), COMPOSITE);
};

const cope: Runner = async (c, phasor) => {
  const [q, k, v, gateKey] = [c.tensor('q', 3), c.tensor('k', 3), c.tensor('v', 3), c.tensor('key_gate')];
  c.claims('n', q.shape[1]);
  c.claims('d', q.shape[2]);
  if (!c.boolean('causal')) c.fail('param causal: only true is known');
  const encoding: EncodingChoice = {
    id: 'cope',
    npos: c.number('npos'),
    pos_emb: c.tensor('pos_emb'),
    placement: c.boolean('divide_pos_logits_by_sqrt_d') ? 'inside' : 'outside',
    ...(c.boolean('separate_gate_key') ? { gate_key: gateKey } : {}),
  };
  const got = await phasor.attention({ q, k, v, mask: 'causal', encoding, want: ['weights'] });
  c.expect('weights', got.weights as Tensor, COMPOSITE, 'weights');
  c.expect('out', got.output, COMPOSITE);
};

const transformerXl: Runner = async (c, phasor) => {
  const [x, memory, w, wOut] = ['x', 'mem', 'W_qkv', 'W_o'].map((name) => matrixOf(c.input(name))) as [Matrix, Matrix, Matrix, Matrix];
  const heads = c.integer('heads');
  const all = heads * c.integer('d_head');
  const seen = [...memory, ...x];
  c.claims('n', x.length);
  c.claims('mem', memory.length);
  if (c.boolean('pre_lnorm')) c.fail('param pre_lnorm: only false is known');
  if (!c.boolean('causal')) c.fail('param causal: only true is known');
  if (w.length !== 3 * all) c.fail('input W_qkv does not have 3 x heads x d_head rows');
  const project = (rows: Matrix, which: number) => splitHeads(linear(rows, w.slice(which * all, (which + 1) * all)), heads);
  const { output } = await phasor.attention({
    q: project(x, 0),
    k: project(seen, 1),
    v: project(seen, 2),
    mask: 'causal',
    encoding: { id: 'transformer_xl', u: c.tensor('u_r_w_bias'), v: c.tensor('v_r_r_bias'), w_r: c.tensor('W_r') },
  });
  const added = linear(joinHeads(output), wOut).map((row, r) => row.map((value, i) => value + (x[r]?.[i] ?? Number.NaN)));
  c.expect('out', numbersOf(normalised(added, c.number('layernorm_eps'))), COMPOSITE);
  // The sinusoids of the distances keys - 1 .. 0.
  const positions = upward(seen.length).reverse();
  c.expect('r_sin_cos', await phasor.table({ encoding: 'sinusoidal', layout: 'concatenated', width: x[0]?.length ?? 0, positions }), TABLE);
};

const deberta: Runner = async (c, phasor) => {
  const [x, relative] = [matrixOf(c.input('x')), matrixOf(c.input('rel_embeddings'))];
  const heads = c.integer('heads');
  c.claims('n', x.length);
  c.claims('d_head', (x[0]?.length ?? 0) / heads);
  c.claims('scale', '1/sqrt(d_head*(1+#terms))');
  const project = (rows: Matrix, name: string) =>
    splitHeads(linear(rows, matrixOf(c.input(`${name}.weight`)), c.input(`${name}.bias`).data), heads);
  const terms = c.list('pos_att_type');
  if (terms.some((term) => term !== 'c2p' && term !== 'p2c')) c.fail(`param pos_att_type: ${JSON.stringify(terms)} is not known`);
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
    want: ['weights'],
  });
  c.expect('weights', weights as Tensor, COMPOSITE, 'weights');
  c.expect('out', numbersOf(joinHeads(output)), COMPOSITE);
};

// ---- encodings from the params and inputs of a case ----------------------------------------------------------------

const halfSplit = (): Params => ({ layout: 'half_split' });
const interleaved = (): Params => ({ layout: 'interleaved' });
const alibi = (c: Case): Params => ({ form: 'symmetric', ...(c.hasInput('slopes') ? { slopes: c.tensor('slopes') } : {}) });
const t5 = (c: Case): Params => ({
  num_buckets: c.number('num_buckets'),
  max_distance: c.number('max_distance'),
  bidirectional: c.boolean('bidirectional'),
  table: givenOrDrawn(c, 'table', () => [c.integer('num_buckets'), firstOf(c, 'q_heads', 'heads')], 'table_multiplier'),
});
const plainB = (c: Case): Params => {
  c.claims('index', c.has('k_len') ? 'b[i-j+k_len-1]' : 'b[i-j+n-1]');
  const keys = firstOf(c, 'k_len', 'n');
  return { max_length: keys, placement: 'inside', b: givenOrDrawn(c, 'b', () => [2 * keys - 1], 'table_multiplier') };
};
const shaw = (c: Case): Params => {
  const shape = () => [2 * c.integer('clip') + 1, c.integer('d')];
  const [tableK, tableV] = ['table_k', 'table_v'].map((name) => givenOrDrawn(c, name, shape, 'table_multiplier'));
  return { clip: c.number('clip'), table_k: tableK as Tensor, table_v: tableV as Tensor };
};

export const attentions: Methods = {
  attention_none: attention('none'),
  attention_gqa: attention('none'),
  attention_rope_half: attention('rope', halfSplit),
  attention_rope_interleaved: attention('rope', interleaved),
  attention_alibi: attention('alibi', alibi),
  attention_alibi_bloom: bloom,
  attention_kerple_log: attention('kerple', (c) => ({ r1: c.tensor('r1'), r2: c.tensor('r2') })),
  attention_t5: attention('t5', t5),
  attention_plain_b: attention('relative_bias', plainB),
  attention_shaw: attention('shaw', shaw),
  attention_xpos: attention('xpos', (c) => ({ scale_base: c.number('scale_base'), base: c.number('base') })),
  attention_sinusoidal_added: sinusoidalAdded,
  multi_head_attention_torch: multiHead,
  cope,
  transformer_xl_layer: transformerXl,
  deberta_disentangled: deberta,
  grad_attention_none: gradient('none'),
  grad_attention_alibi: gradient('alibi', alibi),
  grad_attention_t5: gradient('t5', t5),
  grad_attention_plain_b: gradient('relative_bias', plainB),
  grad_attention_shaw: gradient('shaw', shaw),
  grad_attention_rope_half: gradient('rope', halfSplit),
  grad_attention_rope_interleaved: gradient('rope', interleaved),
  grad_learned_pe: learnedPe,
};
