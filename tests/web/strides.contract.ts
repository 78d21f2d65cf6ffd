// Strided tensors: every call that accepts a tensor reads the elements given by shape, strides and offset. tests/cpp/core/tensor_view_test.cpp has
// the same cases for C++.

import { similarity } from '../../web/engine/analysis.ts';
import type { Tensor, TensorData } from '../../web/engine/types/api.ts';
import { type AnyPhasor, assertErrors, assertSame, type Contract, check, randomTensor } from './contract-checks.ts';
import { detach, tensor } from './every-request.ts';
import { copied, scattered } from './layouts.ts';

const sums = async (phasor: AnyPhasor, x: TensorData) => (await phasor.combine({ x, table: tensor(2, 3) })).data.map((sum) => sum - 0.5);

export const strideCases: Contract = [
  [
    'reads tensors with strides in every call',
    async (phasor) => {
      const [x, table, q, k, v, dOutput] = await Promise.all(
        [
          [6, 4],
          [6, 4],
          [4, 6, 8],
          [2, 6, 8],
          [2, 6, 10],
          [4, 6, 10],
        ].map((shape, seed) => randomTensor(phasor, seed, shape)),
      );
      if (!x || !table || !q || !k || !v || !dOutput) throw new Error('no tensors');
      const computeAll = async (convert: (t: Tensor) => TensorData): Promise<Record<string, Tensor>> => {
        const positions = convert({ shape: [6], data: Float32Array.of(0, 3, 1, 4, 2, 9) });
        const keyMask = convert({ shape: [6], data: Float32Array.of(1, 1, 0, 1, 1, 1) }) as never;
        const qkv = { q: convert(q), k: convert(k), v: convert(v) };
        const { dq, dk, dv } = await phasor.attentionBackward({ ...qkv, dOutput: convert(dOutput), encoding: 'rope' });
        const cache = await phasor.createCache({ heads: 4, kvHeads: 2, headDim: 8, vHeadDim: 10, maxLength: 6, encoding: 'rope' });
        const { output: decoded } = await cache.decode({ ...qkv });
        cache.dispose();
        const { output, weights } = await phasor.attention({ ...qkv, keyMask, outputs: ['weights'] });
        const request = { ...qkv, queryPositions: positions, keyPositions: positions, encoding: 'rope' };
        return {
          ...{ dq, dk, dv, decoded, output, weights },
          placed: (await phasor.attention(request)).output,
          rotated: await phasor.applyRotary(convert(q), { encoding: 'rope', positions }),
          combined: await phasor.combine({ x: convert(x), table: convert(table), mode: 'concatenate' }),
          layer: (
            await phasor.selfAttention({
              x: convert(x),
              heads: 2,
              encoding: { id: 't5', table: convert(await randomTensor(phasor, 7, [32, 2])) },
            })
          ).output,
          slopes: await phasor.attentionBias({
            encoding: { id: 'alibi', slopes: convert({ shape: [2], data: Float32Array.of(2, 3) }) },
            heads: 2,
            queries: 2,
            keys: 3,
          }),
          similarity: await similarity(phasor, { table: convert(table) }),
        };
      };
      const expected = await computeAll((t) => t);
      for (const [name, actual] of Object.entries(await computeAll(scattered))) assertSame(actual, expected[name] as Tensor, name);
      const asLists = await computeAll((t) => ({ ...scattered(t), data: Array.from(scattered(t).data) }));
      for (const [name, actual] of Object.entries(asLists)) assertSame(actual, expected[name] as Tensor, `${name} of lists`);
      const asDoubles = await computeAll((t) => ({ ...scattered(t), data: Float64Array.from(scattered(t).data) }));
      for (const [name, actual] of Object.entries(asDoubles)) assertSame(actual, expected[name] as Tensor, `${name} of doubles`);
    },
  ],
  [
    'locates every element by shape, strides and offset',
    async (phasor) => {
      const data = Float32Array.from({ length: 40 }, (_, i) => i);
      const cases: [TensorData, number[]][] = [
        [{ shape: [2, 3], strides: [3, 1], data }, [0, 1, 2, 3, 4, 5]],
        [{ shape: [2, 3], offset: 7, data }, [7, 8, 9, 10, 11, 12]],
        [{ shape: [2, 3], strides: [1, 2], offset: 1, data }, [1, 3, 5, 2, 4, 6]],
        [{ shape: [2, 3], strides: [0, 5], data }, [0, 5, 10, 0, 5, 10]],
        [{ shape: [2, 3], strides: [0, 0], offset: 39, data }, [39, 39, 39, 39, 39, 39]],
        [{ shape: [2, 3], strides: Int32Array.of(19, 10) as never, offset: 0, data }, [0, 10, 20, 19, 29, 39]],
        [{ shape: [2, 3], strides: undefined, offset: undefined, data: data.subarray(2, 8) }, [2, 3, 4, 5, 6, 7]],
        [{ shape: [2, 3], strides: null, offset: null, data: [6, 5, 4, 3, 2, 1] } as never, [6, 5, 4, 3, 2, 1]],
      ];
      for (const [x, expected] of cases)
        check((await sums(phasor, x)).join() === expected.join(), `${JSON.stringify(x)}: ${await sums(phasor, x)}`);
      const paddedTensor = { shape: [2, 600], strides: [1000, 1], offset: 9, data: Float32Array.from({ length: 2000 }, (_, i) => i) };
      const zeros = { shape: [2, 600], data: new Float32Array(1200) };
      assertSame(await phasor.combine({ x: paddedTensor, table: zeros }), copied(paddedTensor), 'long rows');

      if (typeof SharedArrayBuffer === 'undefined') return;
      const sharedTensor = new Float32Array(new SharedArrayBuffer(160));
      sharedTensor.set(data);
      check((await sums(phasor, { shape: [2, 3], strides: [1, 2], data: sharedTensor })).join() === '0,2,4,1,3,5', 'shared memory');
    },
  ],
  [
    'rejects strides and offsets that do not fit the data, by name',
    async (phasor) => {
      const data = new Float32Array(40);
      const combineWith = (fields: object) => () => phasor.combine({ x: { shape: [2, 3], data, ...fields }, table: tensor(2, 3) });
      const wholeNumberPattern = (name: string, printedValue: string) =>
        new RegExp(`^x\\.${name}: ${printedValue} is not a whole number from 0 to 2147483647$`);
      const invalidValues: (readonly [string, unknown])[] = [
        ['-1', -1],
        ['0.5', 0.5],
        ['NaN', Number.NaN],
        ['Infinity', Number.POSITIVE_INFINITY],
        ['2147483648', 2 ** 31],
        ['"1"', '1'],
        ['true', true],
        ['1n', 1n],
        ['an object', {}],
      ];
      await assertErrors([
        ...invalidValues.map(
          ([printedValue, value]) =>
            [combineWith({ offset: value }), 'invalid_argument', wholeNumberPattern('offset', printedValue)] as const,
        ),
        ...invalidValues.map(
          ([printedValue, value]) =>
            [combineWith({ strides: [3, value] }), 'invalid_argument', wholeNumberPattern('strides\\[1\\]', printedValue)] as const,
        ),
        [combineWith({ strides: [3, undefined] }), 'invalid_argument', wholeNumberPattern('strides\\[1\\]', 'undefined')],
        [combineWith({ strides: Float32Array.of(3, -1) }), 'invalid_argument', wholeNumberPattern('strides\\[1\\]', '-1')],
        [combineWith({ strides: 3 }), 'invalid_argument', /^x\.strides: 3 is not an array of numbers$/],
        [combineWith({ strides: 'row' }), 'invalid_argument', /^x\.strides: "row" is not an array of numbers$/],
        [combineWith({ strides: { 0: 3, 1: 1 } }), 'invalid_argument', /^x\.strides: an object is not an array of numbers$/],
        [combineWith({ strides: [3] }), 'invalid_argument', /^x\.strides: has 1 entries, but shape has 2$/],
        [combineWith({ strides: [] }), 'invalid_argument', /^x\.strides: has 0 entries, but shape has 2$/],
        [combineWith({ strides: [1, 3, 1] }), 'invalid_argument', /^x\.strides: has 3 entries, but shape has 2$/],
        [combineWith({ strides: [20, 10] }), 'invalid_argument', /^x\.data: has 40 values, but shape, strides and offset reach index 40$/],
        [combineWith({ offset: 35 }), 'invalid_argument', /^x\.data: has 40 values, but shape, strides and offset reach index 40$/],
        [combineWith({ strides: [2 ** 31 - 1, 1] }), 'invalid_argument', /^x\.data: has 40 values, but .* reach index 2147483649$/],
        [combineWith({ strides: [3, 1], data: [1, 2] }), 'invalid_argument', /^x\.data: has 2 values, but .* reach index 5$/],
        [combineWith({ strides: [3, 1], data: [] }), 'invalid_argument', /^x\.data: has 0 values, but .* reach index 5$/],
        [combineWith({ strides: [3, 1], data: 'numbers' }), 'invalid_argument', /^x\.data: "numbers" is not an array of numbers$/],
        [
          combineWith({ strides: [3, 1], data: ['a', 1, 1, 1, 1, 1] }),
          'invalid_argument',
          /^x\.data: a, 1, 1, 1, 1, 1 is not an array of numbers$/,
        ],
        [combineWith({ strides: [3, 1], data: detach(new Float32Array(6)) }), 'invalid_argument', /^x\.data: has a detached/],
        [combineWith({ strides: [3, 1], shape: [2.5, 3] }), 'invalid_argument', /^x\.shape: 2\.5 is not a whole number/],
        [combineWith({ strides: [3, 1], shape: [-2, 3] }), 'invalid_argument', /^x\.shape: -2 is not a whole number/],
        [combineWith({ strides: [3, 1], shape: 'two' }), 'invalid_argument', /^x\.shape: "two" is not an array of numbers$/],
        [
          combineWith({ strides: [3, 1], shape: undefined }),
          'invalid_argument',
          /^x: an object is not a tensor|^x: undefined is not a tensor/,
        ],
        [combineWith({ strides: [3, 1], stride: 2 }), 'unknown_name', /^x\.stride is not a field of combine$/],
        [
          combineWith({ strides: [0, 0], shape: [2 ** 16, 2 ** 16] }),
          'resource_exhausted',
          /^x\.data: needs 16384 MiB, more than is available/,
        ],
        [
          combineWith({ strides: [0, 0], shape: [2 ** 14, 2 ** 14], data: [1] }),
          'invalid_argument',
          /^x\.data: cannot be read \(a list of 268435456/,
        ],
      ]);
      const q = await randomTensor(phasor, 1, [4, 600, 32]); // large enough for a pool to split
      const attention = (fields: object) => () => phasor.attention({ q, k: q, v: { ...q, ...fields } });
      await assertErrors([
        [attention({ strides: [1, 1] }), 'invalid_argument', /^v\.strides: has 2 entries, but shape has 3$/],
        [attention({ offset: 1 }), 'invalid_argument', /^v\.data: has 76800 values, but .* reach index 76800$/],
        [attention({ offset: -1 }), 'invalid_argument', /^v\.offset: -1 is not a whole number/],
      ]);
    },
  ],
];
