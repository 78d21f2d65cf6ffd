// The forward pass of attention in every engine: weights, pooled weights, decoding.

import type { AttentionRequest, Tensor } from '../../web/engine/types/api.ts';
import { assertClose, type Contract, catchError, check, randomTensor, sliceTokens, valueAt } from './contract-checks.ts';

export const attentionCases: Contract = [
  [
    'computes attention: weights are a softmax, the output is the weighted mean of the values',
    async (phasor) => {
      const q = { shape: [1, 2, 1], data: new Float32Array([1, 2]) };
      const k = { shape: [1, 2, 1], data: new Float32Array([0, Math.LN2]) };
      const v = { shape: [1, 2, 1], data: new Float32Array([3, 6]) };
      const unmasked = await phasor.attention({ q, k, v, scale: 1, outputs: ['weights', 'scores', 'bias'] });
      assertClose(valueAt(unmasked.weights!, 0, 0, 1), 2 / 3, 1e-6, 'the weight of the second key');
      assertClose(valueAt(unmasked.output, 0, 0, 0), 5, 1e-6, 'the output');
      assertClose(valueAt(unmasked.scores!, 0, 1, 1), 2 * Math.LN2, 1e-6, 'the score');
      check(valueAt(unmasked.bias!, 0, 1, 0) === 0, 'without an encoding the bias is 0');
      const causal = await phasor.attention({ q, k, v, scale: 1, mask: 'causal', outputs: ['weights'] });
      check(valueAt(causal.weights!, 0, 0, 1) === 0 && valueAt(causal.output, 0, 0, 0) === 3, 'the first query attends only to itself');
      const masked = await phasor.attention({ q, k, v, keyMask: [0, 0], outputs: ['weights'] });
      check(
        [...masked.weights!.data, ...masked.output.data].every((value) => value === 0),
        'a row with all keys masked is zero',
      );
      check(!('weights' in (await phasor.attention({ q, k, v }))), 'weights are returned only when wanted');
    },
  ],
  [
    'pools the weights into a map',
    async (phasor) => {
      const [q, k, v] = await Promise.all([1, 2, 3].map((seed) => randomTensor(phasor, seed, [2, 50, 8])));
      const request = { q, k, v, encoding: 'alibi', mask: 'causal' } as AttentionRequest;
      const { weights } = await phasor.attention({ ...request, outputs: ['weights'] });
      const { pooledWeights } = await phasor.attention({ ...request, outputs: ['pooledWeights'], pooling: { size: 8 } });
      check(
        pooledWeights?.mean.shape.join() === '2,8,8' && pooledWeights.max.shape.join() === '2,8,8',
        `the shape is ${pooledWeights?.mean.shape.join()}`,
      );
      for (const [head, row, column] of [
        [0, 0, 0],
        [1, 5, 3],
        [0, 7, 7],
        [1, 2, 6],
      ] as const) {
        let sum = 0;
        let max = 0;
        let count = 0;
        for (let i = 7 * row; i < Math.min(50, 7 * row + 7); i++) {
          for (let j = 7 * column; j < Math.min(50, 7 * column + 7); j++) {
            const weight = valueAt(weights as Tensor, head, i, j) as number;
            sum += weight;
            max = Math.max(max, weight);
            count += 1;
          }
        }
        assertClose(valueAt(pooledWeights.mean, head, row, column), sum / count, 1e-6, `the mean of cell ${row}, ${column}`);
        assertClose(valueAt(pooledWeights.max, head, row, column), max, 1e-6, `the largest of cell ${row}, ${column}`);
      }
      const pooled = await phasor.attention({ ...request, outputs: ['pooledWeights'], pooling: { rows: [10, 14], columns: [3, 9] } });
      check(pooled.pooledWeights?.max.shape.join() === '2,4,6', 'a part of at most `size` cells is shown weight by weight');
      assertClose(valueAt(pooled.pooledWeights.max, 1, 2, 5), valueAt(weights as Tensor, 1, 12, 8) as number, 1e-6, 'a weight of the part');
      assertClose(
        valueAt(pooled.pooledWeights.mean, 1, 2, 5),
        valueAt(weights as Tensor, 1, 12, 8) as number,
        1e-6,
        'a mean of one weight',
      );
    },
  ],
  [
    'pools rows that are longer than a tile of keys',
    async (phasor) => {
      const [q, k, v] = await Promise.all([4, 5, 6].map((seed) => randomTensor(phasor, seed, [1, 700, 4])));
      const request = { q, k, v, mask: 'causal' } as AttentionRequest;
      const { pooledWeights } = await phasor.attention({ ...request, outputs: ['pooledWeights'], pooling: { cellSize: [100, 70] } });
      const { weights } = await phasor.attention({ ...request, outputs: ['weights'] });
      check(pooledWeights?.mean.shape.join() === '1,7,10', `the shape is ${pooledWeights?.mean.shape.join()}`);
      for (let row = 0; row < 7; row++) {
        for (let column = 0; column < 10; column++) {
          let sum = 0;
          let max = 0;
          for (let i = 100 * row; i < 100 * row + 100; i++) {
            for (let j = 70 * column; j < 70 * column + 70; j++) {
              sum += valueAt(weights as Tensor, 0, i, j) as number;
              max = Math.max(max, valueAt(weights as Tensor, 0, i, j) as number);
            }
          }
          assertClose(valueAt(pooledWeights.mean, 0, row, column), sum / 7000, 1e-6, `the mean of cell ${row}, ${column}`);
          assertClose(valueAt(pooledWeights.max, 0, row, column), max, 2e-6, `the largest of cell ${row}, ${column}`);
        }
      }
    },
  ],
  [
    'rejects a map of an invalid region',
    async (phasor) => {
      const x = { shape: [1, 3, 2], data: new Float32Array(6) };
      const attempt = (map: object) => catchError(() => phasor.attention({ q: x, k: x, v: x, outputs: ['pooledWeights'], pooling: map }));
      check(
        (await attempt({ rows: [2, 5] })).message === 'pooling.rows: 2 to 5 is not within 0 to 3',
        (await attempt({ rows: [2, 5] })).message,
      );
      check(
        (await attempt({ columns: [1] })).message === 'pooling.columns: expected [begin, end]',
        (await attempt({ columns: [1] })).message,
      );
      check((await attempt({ size: 0 })).message.startsWith('pooling.size: 0'), (await attempt({ size: 0 })).message);
      check((await attempt({ size: 2, cellSize: [1, 1] })).message.includes('with pooling.cellSize'), 'size and cellSize are alternatives');
      // Half of the result, the share of each worker in a pool of two, does not fit into memory either.
      const longTensor = { shape: [1, 60000, 1], data: new Float32Array(60000) };
      const error = await catchError(() =>
        phasor.attention({ q: longTensor, k: longTensor, v: longTensor, outputs: ['pooledWeights'], pooling: { cellSize: [1, 1] } }),
      );
      check(
        error.code === 'resource_exhausted' && error.message.startsWith('outputs: pooled weights of 1 x 60000 x 60000 numbers would take'),
        error.message,
      );
    },
  ],
  [
    'decodes token by token to the same outputs as full attention',
    async (phasor) => {
      for (const encoding of ['none', 'rope', 'alibi', 't5', 'shaw', 'cope', 'transformer_xl']) {
        const shape = [4, 30, 6];
        const [q, k, v] = await Promise.all([
          randomTensor(phasor, 1, shape),
          randomTensor(phasor, 2, [2, 30, 6]),
          randomTensor(phasor, 3, [2, 30, 5]),
        ]);
        const choice = {
          id: encoding,
          ...(encoding === 'transformer_xl' || encoding === 't5' || encoding === 'shaw' || encoding === 'cope' ? { seed: 2 } : {}),
        };
        // The cache creates its encoding for maxLength tokens, so the whole text has the same length here.
        const reference = await phasor.attention({ q, k, v, encoding: choice, mask: 'causal', window: 12 });
        const cache = await phasor.createCache({
          heads: 4,
          kvHeads: 2,
          headDim: 6,
          vHeadDim: 5,
          maxLength: 30,
          encoding: choice,
          window: 12,
        });
        let length = 0;
        for (const count of [5, 1, 1, 8, 15]) {
          const step = await cache.decode({
            q: sliceTokens(q, length, length + count),
            k: sliceTokens(k, length, length + count),
            v: sliceTokens(v, length, length + count),
          });
          const expected = sliceTokens(reference.output, length, length + count);
          length += count;
          check(step.length === length, `the cache holds ${step.length} tokens instead of ${length}`);
          step.output.data.forEach((value, i) => {
            assertClose(value, expected.data[i] as number, 1e-6, `${encoding}: output ${i} of the step to ${length}`);
          });
        }
        const fullError = await catchError(() =>
          cache.decode({ q: sliceTokens(q, 0, 1), k: sliceTokens(k, 0, 1), v: sliceTokens(v, 0, 1) }),
        );
        check(fullError.message === 'k: 1 more tokens give a length of 31; expected at most maxLength, 30', fullError.message);
        cache.dispose();
        const token = { q: sliceTokens(q, 0, 1), k: sliceTokens(k, 0, 1), v: sliceTokens(v, 0, 1) };
        const closedError = await catchError(() => cache.decode({ ...token }));
        check(closedError.message === 'cache: this cache is disposed', closedError.message);
      }
    },
  ],
];
