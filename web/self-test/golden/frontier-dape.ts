// Golden cases of DAPE with three different biases.

import { ATTENTION_TOLERANCE, type Case, type Methods, type Runner } from './case.ts';
import { expectAttention } from './frontier-encodings.ts';
import { readInputs, readMask, readScale } from './request.ts';

/** Returns the parameters of the case's bias formula. Keys to the right of the query have distance 0. */
function readBiasParams(c: Case, heads: number) {
  const valuesPerHead = (value: (head: number) => number) => ({
    shape: [heads],
    data: Float32Array.from({ length: heads }, (_, head) => value(head)),
  });
  const right = 'zero';
  return c.choice('bias', {
    '0': { bias: 'alibi', right, bias_slopes: valuesPerHead(() => 0) },
    '-ln(1+i-j)': { bias: 'kerple', right, bias_r1: valuesPerHead(() => 1), bias_r2: valuesPerHead(() => 1) },
    'alibi: -slope (i-j), slope 2^(-8h/H)': {
      bias: 'alibi',
      right,
      bias_slopes: valuesPerHead((head) => 2 ** ((-8 * (head + 1)) / heads)),
    },
  });
}

const dape: Runner = async (c, phasor) => {
  const { q, k, v } = readInputs(c);
  const encoding = {
    id: 'dape',
    mlp_width: c.integer('mlp_width'),
    negative_slope: c.number('negative_slope'),
    w1: c.tensor('W1', 2),
    b1: c.tensor('b1', 1),
    w2: c.tensor('W2', 2),
    b2: c.tensor('b2', 1),
    ...readBiasParams(c, q.shape[0] ?? 1),
  };
  const { keyMask, ...mask } = readMask(c);
  const offsetOption = c.has('q_offset') ? { positionOffset: c.number('q_offset') } : {};
  const request = { q, k, v, encoding, ...mask, ...readScale(c, q.shape[2] ?? 0), ...offsetOption };
  // The reference scores are unmasked.
  c.expect('scores', (await phasor.attention({ ...request, mask: 'none', outputs: ['scores'] })).scores, ATTENTION_TOLERANCE);
  await expectAttention(c, phasor, { ...request, ...(keyMask ? { keyMask } : {}) });
};

export const frontierDape: Methods = { attention_dape: dape };
