// Caches in every engine: truncated, forked, with masked keys and requested weights, and equal to attention within the documented bound.

import type { CreateCacheRequest, DecodeRequest, Tensor } from '../../web/engine/types/api.ts';
import { type AnyPhasor, assertErrors, assertSame, type Contract, check, randomTensor, sliceTokens } from './contract-checks.ts';

const WIDTH = 6;
const LENGTH = 40;
const BOUND = 1e-6; // documented at DecodeResult

async function text(phasor: AnyPhasor, heads = 2) {
  const [q, k, v] = await Promise.all([1, 2, 3].map((seed) => randomTensor(phasor, seed, [heads, LENGTH, WIDTH])));
  return { q, k, v } as { q: Tensor; k: Tensor; v: Tensor };
}
const part = ({ q, k, v }: Record<'q' | 'k' | 'v', Tensor>, first: number, last: number) => ({
  q: sliceTokens(q, first, last),
  k: sliceTokens(k, first, last),
  v: sliceTokens(v, first, last),
});
const open = (phasor: AnyPhasor, options: Partial<CreateCacheRequest> = {}) =>
  phasor.createCache({ heads: 2, headDim: WIDTH, maxLength: LENGTH, encoding: 'alibi', ...options });

/** The largest difference of `rows` [heads, rows, columns] from the rows of `whole` from `first` on, which may be longer. */
function difference(rows: Tensor, reference: Tensor, first: number): number {
  const [heads = 0, count = 0, columns = 0] = rows.shape;
  const [, rowCount = 0, width = 0] = reference.shape;
  let largest = 0;
  for (let h = 0; h < heads; h++) {
    for (let r = 0; r < count; r++) {
      for (let c = 0; c < columns; c++) {
        const actual = rows.data[(h * count + r) * columns + c] as number;
        const expected = reference.data[(h * rowCount + first + r) * width + c] as number;
        if (actual !== expected) largest = Math.max(largest, Math.abs(actual - expected));
      }
    }
  }
  return largest;
}

export const cacheCases: Contract = [
  [
    'decodes to the results of attention within the documented bound, with requested weights and masked keys',
    async (phasor) => {
      const inputs = await text(phasor);
      const largest = inputs.v.data.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
      const keyMask = Array.from({ length: LENGTH }, (_, key) => (key < 7 ? 0 : 1) as 0 | 1);
      const outputs = ['weights', 'scores', 'bias'] as const;
      for (const encoding of ['none', 'rope', 'alibi', 't5', 'shaw', 'cope', 'transformer_xl']) {
        const reference = await phasor.attention({ ...inputs, encoding, mask: 'causal', keyMask, outputs });
        const cache = await open(phasor, { encoding });
        let first = 0;
        for (const count of [5, 4, 1, 17, 1, 12]) {
          const last = first + count;
          const mask: Partial<DecodeRequest> = first < 7 ? { keyMask: keyMask.slice(first, last) } : {};
          const step = await cache.decode({ ...part(inputs, first, last), ...mask, outputs });
          check(step.weights.shape.join() === `2,${count},${last}`, `the shape is ${step.weights.shape.join()}`);
          const differences = [
            difference(step.output, reference.output, first) / largest,
            difference(step.weights, reference.weights, first),
          ];
          check(Math.max(...differences) <= BOUND, `${encoding}, tokens ${first} to ${last}: ${differences.join()}`);
          check(difference(step.scores, reference.scores, first) === 0, `${encoding}: the scores are the same`);
          check(difference(step.bias, reference.bias, first) === 0, `${encoding}: the bias is the same`);
          check(step.length === last, `${step.length} tokens`);
          first = last;
        }
        cache.dispose();
      }
      const cache = await open(phasor);
      const one = await cache.decode({ ...part(inputs, 0, 3), outputs: ['weights'], head: 1 });
      check(one.weights.shape.join() === '1,3,3', 'the weights of one head');
      check(!('weights' in (await cache.decode({ ...part(inputs, 3, 4) }))), 'weights are returned only when wanted');
      cache.dispose();
    },
  ],
  [
    'truncates a cache to bitwise the state without the removed tokens',
    async (phasor) => {
      const inputs = await text(phasor);
      for (const encoding of ['rope', 'shaw', 'cope']) {
        const [cache, otherCache] = [await open(phasor, { encoding }), await open(phasor, { encoding })];
        await cache.decode({ ...part(inputs, 0, 12) });
        await cache.decode({ ...part(inputs, 25, 40), keyMask: new Uint8Array(15) });
        for (const length of [12, 9]) {
          await cache.truncate(length);
          check(cache.length === length, `${cache.length} tokens are left, not ${length}`);
        }
        await otherCache.decode({ ...part(inputs, 0, 9) });
        const [actual, expected] = [
          await cache.decode({ ...part(inputs, 9, 30), outputs: ['weights'] }),
          await otherCache.decode({ ...part(inputs, 9, 30), outputs: ['weights'] }),
        ];
        assertSame(actual.output, expected.output, `${encoding}: the output`);
        assertSame(actual.weights, expected.weights, `${encoding}: the weights`);
        check(actual.length === 30 && cache.length === 30, `${actual.length} tokens`);
        cache.dispose();
        otherCache.dispose();
      }
    },
  ],
  [
    'forks a cache into independent caches',
    async (phasor) => {
      const inputs = await text(phasor);
      const cache = await open(phasor, { encoding: 't5' });
      await cache.decode({ ...part(inputs, 0, 10) });
      const [left, right] = [await cache.fork(), await cache.fork()];
      const step = part(inputs, 20, 25);
      const first = await left.decode(step);
      await right.decode({ ...part(inputs, 30, 33) });
      await right.truncate(2);
      cache.dispose();
      const secondFork = await left.fork();
      check(secondFork.length === 15 && right.length === 2, `${secondFork.length} and ${right.length} tokens`);
      await secondFork.truncate(10);
      assertSame((await secondFork.decode(step)).output, first.output, 'a fork of a fork');
      check((await right.decode({ ...part(inputs, 2, 3) })).length === 3, 'the other one has its own tokens');
      for (const handle of [left, right, secondFork]) handle.dispose();
    },
  ],
  [
    'rejects invalid steps, truncations and forks by name, and leaves the cache unchanged',
    async (phasor) => {
      const inputs = await text(phasor);
      const cache = await open(phasor);
      await cache.decode({ ...part(inputs, 0, 5) });
      const step = (options: object) => () => cache.decode({ ...part(inputs, 5, 7), ...options });
      const trim = (length: unknown) => () => cache.truncate(length as number);
      const disposedFork = await cache.fork();
      disposedFork.dispose();
      const isDisposed = /^cache: this cache is disposed$/;
      await assertErrors([
        [step({ keyMask: [1] }), 'invalid_argument', /^keyMask: has 1 entries; expected 2, one per new token$/],
        [step({ keyMask: [1, 1, 1, 1, 1, 1, 1] }), 'invalid_argument', /^keyMask: has 7 entries; expected 2, one per new token$/],
        [step({ keyMask: [] }), 'invalid_argument', /^keyMask: is empty; expected one entry per key$/],
        [step({ keyMask: [1, 2] }), 'invalid_argument', /^keyMask\[1\]: 2 is not 0, 1, true or false$/],
        [step({ keyMask: [1, Number.NaN] }), 'invalid_argument', /^keyMask\[1\]: NaN is not 0/],
        [step({ keyMask: ['1', '1'] }), 'invalid_argument', /^keyMask: .* is not an array of numbers$/],
        [step({ keyMask: true }), 'invalid_argument', /^keyMask: true is not an array of numbers$/],
        [step({ key_mask: [1, 1] }), 'unknown_name', /^key_mask is not a field of decode; did you mean keyMask\?$/],
        [step({ outputs: ['pooledWeights'] }), 'invalid_argument', /^outputs: pooledWeights is not supported by decode$/],
        [
          step({ outputs: ['wieghts'] }),
          'invalid_argument',
          /^outputs: wieghts is not a list of weights, scores, bias, pooledWeights, sinkWeights$/,
        ],
        [step({ outputs: 'weights' }), 'invalid_argument', /^outputs: "weights" is not a list of/],
        [step({ outputs: ['weights'], head: 2 }), 'invalid_argument', /^head: 2 is outside 0 to 1$/],
        [step({ outputs: ['weights'], head: 0.5 }), 'invalid_argument', /^head: 0.5 is not a whole number/],
        [step({ map: { size: 2 } }), 'unknown_name', /^map is not a field of decode$/],
        [step({ cache: disposedFork }), 'invalid_argument', /^cache: occurs twice, as an argument and in the request$/],
        [() => cache.decode(cache as never), 'invalid_argument', /^decode: argument 1 is a cache; expected an object$/],
        [() => disposedFork.decode(part(inputs, 5, 7)), 'invalid_argument', isDisposed],
        [trim(6), 'invalid_argument', /^length: 6 is outside 0 to 5$/],
        [trim(-1), 'invalid_argument', /^length: -1 is outside 0 to 5$/],
        [trim(1.5), 'invalid_argument', /^length: 1.5 is not a whole number/],
        [trim(Number.NaN), 'invalid_argument', /^length: NaN is not a whole number/],
        [trim('2'), 'invalid_argument', /^length: "2" is not a number$/],
        [trim(undefined), 'invalid_argument', /^length: undefined is not a number$/],
        [() => disposedFork.truncate(2), 'invalid_argument', isDisposed],
        [() => disposedFork.fork(), 'invalid_argument', isDisposed],
      ]);
      const otherCache = await open(phasor);
      await otherCache.decode({ ...part(inputs, 0, 5) });
      const [actual, expected] = [await cache.decode({ ...part(inputs, 5, 9) }), await otherCache.decode({ ...part(inputs, 5, 9) })];
      assertSame(actual.output, expected.output, 'the step after');
      cache.dispose();
      otherCache.dispose();
    },
  ],
];
