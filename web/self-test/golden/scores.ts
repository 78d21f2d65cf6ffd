// Biases added to scores (the golden families alibi, t5 and shaw, and the biases in bias_other).

import type { AttentionBiasRequest, Params } from '../../engine/types/api.ts';
import type { DynamicRequest } from '../any-phasor.ts';
import { type Case, consecutiveIntegers, type Methods, type Runner, TABLE_TOLERANCE } from './case.ts';

/** Creates a method that compares the result of attentionBias with the golden case. `shape` replaces the shape of the result if the golden case lacks an axis. */
const biasRunner =
  (request: (c: Case) => DynamicRequest<AttentionBiasRequest>, output = 'bias', shape?: (c: Case) => number[]): Runner =>
  async (c, phasor) => {
    const actual = await phasor.attentionBias(request(c));
    c.expect(output, { shape: shape?.(c) ?? actual.shape, data: actual.data }, TABLE_TOLERANCE);
  };

const readSquareSizes = (c: Case) => ({ heads: c.integer('heads'), queries: c.integer('n'), keys: c.integer('n'), positionOffset: 0 });

/** Compares the slopes. The bias at a distance of one token is the negated slope. */
const slopes: Runner = async (c, phasor) => {
  const heads = c.integer('heads');
  const { data } = await phasor.attentionBias({
    encoding: { id: 'alibi', form: 'symmetric' },
    heads,
    queryPositions: [0],
    keyPositions: [1],
  });
  c.expect('slopes', { shape: [heads], data: data.map((x) => -x) }, 1e-6, 'relative');
};

const symmetric = biasRunner((c) => {
  const [queries, keys] = [c.integer('q_len'), c.integer('k_len')];
  return {
    encoding: { id: 'alibi', form: 'symmetric' },
    heads: c.integer('heads'),
    queries,
    keys,
    positionOffset: c.numberOr('q_offset', keys - queries),
  };
});

/** For the causal form, NeMo returns only the last row. For the bidirectional form, it returns all rows. */
const nemo = biasRunner((c) => {
  const isBidirectional = c.boolean('bidirectional');
  const n = c.integer('n');
  const rows = isBidirectional ? { queries: n, positionOffset: 0 } : { queries: 1, positionOffset: n - 1 };
  return { encoding: { id: 'alibi', form: isBidirectional ? 'symmetric' : 'causal' }, heads: c.integer('heads'), keys: n, ...rows };
});

const bloom: Runner = async (c, phasor) => {
  const { shape, data } = c.input('attention_mask');
  const [batch = 0, n = 0] = shape;
  const heads = c.integer('heads');
  const biases: number[] = [];
  for (let row = 0; row < batch; row += 1) {
    const keyPositions = await phasor.positionIds({ attentionMask: Uint8Array.from(data.slice(row * n, (row + 1) * n)), mode: 'bloom' });
    biases.push(
      ...(await phasor.attentionBias({ encoding: { id: 'alibi', form: 'row_shifted' }, heads, queryPositions: [0], keyPositions })).data,
    );
  }
  c.expect('alibi', { shape: [batch, heads, n], data: biases }, TABLE_TOLERANCE);
};

const mptBias = biasRunner(
  (c) => ({
    encoding: { id: 'alibi', form: 'mpt', max_seq_len: c.integer('n'), bias_max: c.number('alibi_bias_max') },
    heads: c.integer('heads'),
    queries: 1,
    keys: c.integer('n'),
    positionOffset: 0,
  }),
  'alibi',
  (c) => [c.integer('heads'), c.integer('n')],
);

/** The bias table contains bucket indices, so each bias is the index of its bucket. */
const bucket: Runner = async (c, phasor) => {
  c.expectParam('eps', 'float32 machine epsilon added inside the log'); // flaxformer adds the epsilon, but the buckets are the same
  const { shape, data } = c.input('relative_position');
  const bucketCount = c.integer('num_buckets');
  const actual = await phasor.attentionBias({
    encoding: {
      id: 't5',
      num_buckets: bucketCount,
      max_distance: c.number('max_distance'),
      bidirectional: c.boolean('bidirectional'),
      table: { shape: [bucketCount, 1], data: consecutiveIntegers(bucketCount) },
    },
    heads: 1,
    queryPositions: [0],
    keyPositions: data,
  });
  c.expect('bucket', { shape, data: actual.data }, 0);
};

const createT5Request = (c: Case, bidirectional: boolean, extraParams: Params = {}) => ({
  encoding: {
    id: 't5',
    num_buckets: c.number('num_buckets'),
    max_distance: c.number('max_distance'),
    bidirectional,
    table: c.tensor('table'),
    ...extraParams,
  },
  heads: c.integer('heads'),
  queries: c.integer('q_len'),
  keys: c.integer('k_len'),
});

const toeplitz = biasRunner(
  (c) => {
    c.expectParam('index', 'b[i-j + n-1], i=query, j=key');
    const n = c.integer('n');
    return { encoding: { id: 'relative_bias', max_length: n, b: c.tensor('b') }, heads: 1, queries: n, keys: n, positionOffset: 0 };
  },
  'bias',
  (c) => [c.integer('n'), c.integer('n')],
);

/** Queries are 1, keys are 0, and each row of the table contains its index. Each score is therefore an index into Shaw's table. */
const shaw: Runner = async (c, phasor) => {
  const keys = c.has('n') ? c.integer('n') : c.integer('k_len');
  const queries = c.has('n') ? keys : c.integer('q_len');
  if (c.has('cache') && c.boolean('cache') && queries !== 1) c.fail('param cache: only a single query is supported');
  const clip = c.integer('clip');
  const rows = { shape: [2 * clip + 1, 1], data: Float32Array.from(consecutiveIntegers(2 * clip + 1)) };
  const zeroKeys = { shape: [1, keys, 1], data: new Float32Array(keys) };
  const { scores } = await phasor.attention({
    q: { shape: [1, queries, 1], data: new Float32Array(queries).fill(1) },
    k: zeroKeys,
    v: zeroKeys,
    scale: 1,
    positionOffset: c.numberOr('q_offset', keys - queries),
    encoding: { id: 'shaw', clip, table_k: rows, table_v: rows },
    outputs: ['scores'],
  });
  c.expect('index', { shape: [queries, keys], data: scores?.data ?? [] }, 0);
};

/** Creates a method for KERPLE. In the authors' code, keys to the right of the query have distance 0. */
const kerpleRunner = (form: string, formula: string, clamp: string) =>
  biasRunner((c) => {
    c.expectParam('formula', formula);
    c.expectParam('clamp', clamp);
    return { encoding: { id: 'kerple', form, right: 'zero', r1: c.tensor('r1'), r2: c.tensor('r2') }, ...readSquareSizes(c) };
  }, 'bias_lower');

/** q contains the case's logits and k is the identity matrix, so that the products q·k are the logits. */
const kerpleWeighted: Runner = async (c, phasor) => {
  c.expectParam('formula', 'logit*exp(-wa*D^wp) - ba*D^bp');
  const q = c.tensor('logit', 3);
  const [heads = 0, n = 0] = q.shape;
  const identity = new Float32Array(heads * n * n).map((_, i) => ((i % (n * n)) % (n + 1) === 0 ? 1 : 0));
  const { scores } = await phasor.attention({
    q,
    k: { shape: q.shape, data: identity },
    v: { shape: [heads, n, 1], data: new Float32Array(heads * n) },
    scale: 1,
    encoding: {
      id: 'kerple',
      form: 'weighted_power',
      right: 'zero',
      r1: c.tensor('bias_a'),
      r2: c.tensor('bias_p'),
      wei_a: c.tensor('wei_a'),
      wei_p: c.tensor('wei_p'),
    },
    outputs: ['scores'],
  });
  c.expect('out', scores ?? { shape: [], data: [] }, TABLE_TOLERANCE);
};

const fire = biasRunner((c) => {
  c.expectParam('activation', 'relu');
  return {
    encoding: {
      id: 'fire',
      mlp_width: c.number('mlp_width'),
      init_l: c.number('L'),
      eps: c.number('eps'),
      c: [c.number('c')],
      w1: c.tensor('W1'),
      b1: c.tensor('b1'),
      w2: c.tensor('W2'),
      b2: c.tensor('b2'),
    },
    ...readSquareSizes(c),
  };
});

const sandwich = biasRunner((c) => {
  c.expectParam('formula', '(sum_{i=1..db/2} cos(D/10000^(2i/db)) - db/2) / (8h/H), h=1..H');
  return { encoding: { id: 'sandwich', db: c.number('d_bar'), index: 'from_one' }, ...readSquareSizes(c) };
});

const proximal = biasRunner(
  (c) => ({ encoding: 'proximal', heads: 1, queries: c.integer('n'), keys: c.integer('n'), positionOffset: 0 }),
  'bias',
  (c) => [c.integer('n'), c.integer('n')],
);

export const scores: Methods = {
  alibi_slopes: slopes,
  alibi_symmetric: symmetric,
  alibi_nemo: nemo,
  alibi_bloom_row: bloom,
  alibi_mpt_row: mptBias,
  t5_bucket: bucket,
  t5_bucket_flaxformer: bucket,
  t5_bias: biasRunner((c) => ({ ...createT5Request(c, c.boolean('bidirectional')), positionOffset: c.numberOr('q_offset', 0) })),
  // x-transformers multiplies the bias by a factor, and aligns the last query with the last key.
  t5_bias_scaled: biasRunner((c) => createT5Request(c, !c.boolean('causal'), { multiplier: c.number('scale') })),
  bias_plain_toeplitz: toeplitz,
  shaw_index: shaw,
  t2t_proximal_bias: proximal,
  kerple_log: kerpleRunner('log', '-r1*log(1+r2*|i-j|)', 'r1,r2>=0.01'),
  kerple_power: kerpleRunner('power', '-r1*|i-j|^r2', 'r1>=0.01, 0.01<=r2<=2'),
  kerple_power_weighted: kerpleWeighted,
  fire,
  sandwich_nemo: sandwich,
};
