// Attention options in every engine: sinks, soft caps, normalised queries and keys, and sink tokens.

import { explainSoftmax } from '../../web/engine/analysis.ts';
import type { AttentionRequest } from '../../web/engine/types/api.ts';
import { assertClose, assertErrors, type Contract, check, randomTensor, sliceTokens, valueAt } from './contract-checks.ts';

export const optionCases: Contract = [
  [
    'returns sink weights, which complete each row of weights to 1, and the gradients of sinks',
    async (phasor) => {
      const [q, dOutput] = await Promise.all([randomTensor(phasor, 1, [2, 5, 4]), randomTensor(phasor, 2, [2, 5, 4])]);
      const request = { q, k: q, v: q, mask: 'causal', sinks: [0.5, -1], keyMask: [0, 1, 1, 1, 1] } as const;
      const { weights, sinkWeights, output } = await phasor.attention({ ...request, outputs: ['weights', 'sinkWeights'] });
      check(sinkWeights.shape.join() === '2,5', `the shape is ${sinkWeights.shape.join()}`);
      for (const head of [0, 1]) {
        check(valueAt(sinkWeights, head, 0) === 1 && valueAt(output, head, 0, 0) === 0, 'a row without visible keys is all sink');
        for (const row of [1, 2, 3, 4]) {
          const sum = [0, 1, 2, 3, 4].reduce((total, key) => total + (valueAt(weights, head, row, key) as number), 0);
          assertClose(sum, 1 - (valueAt(sinkWeights, head, row) as number), 1e-6, 'the sum of a row');
        }
      }
      const headOutput = await phasor.attention({ ...request, outputs: ['sinkWeights'], head: 1 });
      check(
        headOutput.sinkWeights.shape.join() === '1,5' && valueAt(headOutput.sinkWeights, 0, 3) === valueAt(sinkWeights, 1, 3),
        'of one head',
      );
      const { dSinks, dqWeight } = await phasor.attentionBackward({ ...request, dOutput });
      check(dSinks?.shape.join() === '2' && dSinks.data.some((slope) => slope !== 0), 'sinks have gradients');
      check(dqWeight === undefined, 'what was not given has none');
      const none = await phasor.attention({ ...request, sinks: new Float32Array(2).fill(-Infinity) });
      const plainOutput = await phasor.attention({ ...request, sinks: undefined });
      check(none.output.data.join() === plainOutput.output.data.join(), '-Infinity is the ordinary softmax');
    },
  ],
  [
    'caps scores and normalises queries and keys',
    async (phasor) => {
      const [q, dOutput] = await Promise.all([randomTensor(phasor, 3, [2, 6, 4]), randomTensor(phasor, 4, [2, 6, 4])]);
      const request = {
        q,
        k: q,
        v: q,
        scale: 3,
        softcap: 1.5,
        qkNorm: { norm: 'l2', qWeight: [1, 2, 1, 1], kWeight: [1, 1, 1, 3] },
      } as const;
      const { scores } = await phasor.attention({ ...request, outputs: ['scores'] });
      check(
        scores.data.every((score) => Math.abs(score) <= 1.5001),
        'no score is beyond the cap',
      );
      const { dqWeight, dkWeight } = await phasor.attentionBackward({ ...request, dOutput });
      check(dqWeight?.shape.join() === '4' && dkWeight?.shape.join() === '4', 'the weights have gradients');
      const chain = await explainSoftmax(phasor, { q, k: q, scale: 3, softcap: 1.5, sinks: [1, 1], query: 2 });
      check(chain.maxAbsDiff < 1e-6 && chain.sinkWeight > 0, 'steps show the same');
    },
  ],
  [
    'applies the same options in a layer and in a cache',
    async (phasor) => {
      const [q, k] = await Promise.all([randomTensor(phasor, 5, [2, 12, 4]), randomTensor(phasor, 6, [1, 12, 4])]);
      const options = {
        sinks: [0, 1],
        softcap: 2,
        qkNorm: {},
        window: 4,
        sinkTokens: 2,
        sinkPositions: 'cache',
        encoding: 'rope',
      } as const;
      const request: AttentionRequest = { q, k, v: k, mask: 'causal', ...options };
      const fullOutput = await phasor.attention(request);
      const cache = await phasor.createCache({ heads: 2, kvHeads: 1, headDim: 4, maxLength: 12, ...options });
      for (let first = 0; first < 12; first += 3) {
        const [qs, ks] = [sliceTokens(q, first, first + 3), sliceTokens(k, first, first + 3)];
        const { output, sinkWeights } = await cache.decode({ q: qs, k: ks, v: ks, outputs: ['sinkWeights'] });
        check(sinkWeights.shape.join() === '2,3', 'sinks of a step');
        const expected = sliceTokens(fullOutput.output, first, first + 3).data;
        output.data.forEach((value, i) => {
          assertClose(value, expected[i] as number, 2e-6, `output ${i} from token ${first} on`);
        });
      }
      cache.dispose();
      const x = await randomTensor(phasor, 7, [6, 8]);
      const layer = { x, heads: 2, mask: 'causal', sinks: [0, 1], qkNorm: { qWeight: [1, 2, 3, 4] } } as const;
      const { sinkWeights } = await phasor.selfAttention({ ...layer, outputs: ['sinkWeights'] });
      check(sinkWeights.shape.join() === '2,6', 'sinks of a layer');
      const { dSinks, dqWeight, dkWeight } = await phasor.selfAttentionBackward({ ...layer, dOutput: x });
      check(dSinks?.shape.join() === '2' && dqWeight?.shape.join() === '4' && dkWeight === undefined, 'gradients of a layer');
    },
  ],
  [
    'rejects invalid options by name',
    async (phasor) => {
      const q = await randomTensor(phasor, 8, [2, 3, 4]);
      const attention = (options: object) => () => phasor.attention({ q, k: q, v: q, ...options });
      await assertErrors([
        [attention({ sinks: [0, Number.NaN] }), 'invalid_argument', /^sinks\[1\]: NaN is neither finite nor -Infinity$/],
        [attention({ sinks: [0] }), 'invalid_argument', /^sinks: has shape 1 with 1 values; expected 2, one per head$/],
        [attention({ sinks: 0 }), 'invalid_argument', /^sinks: 0 is not an array of numbers$/],
        [attention({ outputs: ['sinkWeights'] }), 'invalid_argument', /^outputs: sinkWeights requires sinks$/],
        [attention({ softcap: 0 }), 'invalid_argument', /^softcap: 0 is outside 1e-30 to 1e\+30$/],
        [attention({ capIncludesBias: true }), 'invalid_argument', /^capIncludesBias: requires softcap$/],
        [attention({ softcap: 1, capIncludesBias: 1 }), 'invalid_argument', /^capIncludesBias: 1 is not true or false$/],
        [attention({ qkNorm: 'rms' }), 'invalid_argument', /^qkNorm: "rms" is not an object$/],
        [attention({ qkNorm: { norm: 'rsm' } }), 'invalid_argument', /^qkNorm\.norm: "rsm" is not one of rms, layer, l2$/],
        [attention({ qkNorm: { weight: [1] } }), 'unknown_name', /^qkNorm\.weight is not a field of attention/],
        [
          attention({ qkNorm: { qWeight: [1] } }),
          'invalid_argument',
          /^qkNorm\.qWeight: has shape 1 with 1 values; expected one per channel of a head, 4/,
        ],
        [attention({ sinkTokens: 4 }), 'invalid_argument', /^sinkTokens: 4 requires a window$/],
        [
          attention({ sinkTokens: 1, window: 2, sinkPositions: 'cache', mask: 'causal', encoding: 'cope' }),
          'invalid_argument',
          /^sinkPositions: cache is not supported for cope; expected an encoding on one axis that rotates queries and keys or adds a bias/,
        ],
      ]);
    },
  ],
];
