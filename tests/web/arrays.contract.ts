// Array types in requests: lists as tensors of one axis, and rounding to float32.

import { permutationError, shiftMatrix, similarity } from '../../web/engine/analysis.ts';
import type { Tensor } from '../../web/engine/types/api.ts';
import { assertErrors, assertSame, type Contract, catchError, check } from './contract-checks.ts';
import { tensor } from './every-request.ts';

export const arrayCases: Contract = [
  [
    'accepts a list of numbers as a tensor of one axis',
    async (phasor) => {
      const bias = (slopes: unknown) =>
        phasor.attentionBias({ encoding: { id: 'alibi', slopes: slopes as never }, heads: 2, queries: 2, keys: 3 });
      const expected = await bias({ shape: [2], data: new Float32Array([0.5, 0.25]) });
      check(expected.data[0] === -0.5 && expected.data[6] === -0.25, `the biases are ${expected.data.join()}`);
      const forms = [[0.5, 0.25], Float32Array.of(0.5, 0.25), Float64Array.of(0.5, 0.25), { shape: [2], data: [0.5, 0.25] }];
      for (const slopes of forms) assertSame(await bias(slopes), expected, 'the same slopes');
      assertSame(await bias([3, 1]), await bias(Int8Array.of(3, 1)), 'integers');

      const factors = { id: 'rope', scaling: 'longrope', factor: 2, original_length: 8, sequence_length: 16, short_factor: [1, 1] };
      const { invFreq } = await phasor.ropeFrequencies({ encoding: { ...factors, long_factor: [2, 4] }, dim: 4 });
      const plain = await phasor.ropeFrequencies({ encoding: 'rope', dim: 4 });
      check(invFreq.data[0] === 0.5 && invFreq.data[1] === Math.fround(0.01 / 4), `the frequencies are ${invFreq.data.join()}`);
      const shift = await shiftMatrix(phasor, { frequencies: plain.invFreq, k: 3 });
      assertSame(
        await shiftMatrix(phasor, { frequencies: plain.invFreq.data, k: 3 }),
        shift,
        'a tensor of one axis is a list of frequencies',
      );

      const x = tensor(2, 2);
      const order = { shape: [2], data: [1, 0] };
      check((await permutationError(phasor, { before: x, after: x, order })).maxAbsDiff === 0, 'an order');
      const mask = await phasor.positionIds({ attentionMask: { shape: [2], data: [1, 0] } as never, mode: 'opt' });
      check(mask.data.join() === '0,-1', 'a mask');

      const wrong = (shown: string) =>
        new RegExp(`^slopes: ${shown} is not a number, a string, true, false, a list of numbers or a tensor`);
      await assertErrors([
        [() => bias([]), 'invalid_argument', wrong('a list of 0 numbers')],
        [() => bias(new Float32Array()), 'invalid_argument', wrong('a list of 0 numbers')],
        [() => bias([true, false]), 'invalid_argument', wrong('a list of 2 booleans')],
        [() => bias(['a', 'b']), 'invalid_argument', wrong('a, b')],
        [() => bias([[0.5], [0.25]]), 'invalid_argument', wrong('a list, a list')],
        [() => bias(BigInt64Array.of(1n, 2n)), 'invalid_argument', wrong('\\[object BigInt64Array\\]')],
        [() => bias([0.5]), 'invalid_argument', /^slopes: .*1/],
        [() => bias([0.5, Number.NaN]), 'invalid_argument', /^slopes\[1\]: NaN is not a finite number/],
        [() => bias({ shape: [3], data: [0.5, 0.25] }), 'invalid_argument', /^encoding\.slopes\.data: 2 values do not match its shape/],
        [
          () => phasor.positionTable({ encoding: { id: 'sinusoidal', base: [100] }, length: 1, dim: 4 }),
          'invalid_argument',
          /^base: is an array; expected a single value$/,
        ],
        [
          () => phasor.positionTable({ encoding: { id: 'learned', table: [1, 2] }, length: 1, dim: 2 }),
          'invalid_argument',
          /^table: has shape 2/,
        ],
        [
          () => shiftMatrix(phasor, { frequencies: tensor(1, 2), k: 1 }),
          'invalid_argument',
          /^frequencies: has shape 1 x 2; expected one axis/,
        ],
        [
          () => permutationError(phasor, { before: x, after: x, order: tensor(1, 2) }),
          'invalid_argument',
          /^order: has shape 1 x 2; expected one/,
        ],
        [() => similarity(phasor, { table: [1, 2] as never }), 'invalid_argument', /^table: a list of 2 numbers is not a tensor/],
      ]);
    },
  ],
  [
    'rounds numbers of any array type to the nearest float32',
    async (phasor) => {
      const values = [0.1, 1 / 3, 2 ** 24 + 1, -1e-46, 3.4e38, 2 ** 24 + 3];
      const zeros = { shape: [1, 6], data: new Float32Array(6) };
      const roundValues = async (data: ArrayLike<number>) => (await phasor.combine({ x: { shape: [1, 6], data }, table: zeros })).data;
      const expected = values.map((value) => Math.fround(value) + 0);
      for (const data of [values, Float64Array.from(values), Float32Array.from(values)]) {
        check(
          (await roundValues(data)).join() === expected.join(),
          `${Object.prototype.toString.call(data)}: ${(await roundValues(data)).join()}`,
        );
      }
      const integers = [0, 1, 2, 3, 100, 127];
      const arrays = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array];
      for (const type of arrays) check((await roundValues(type.from(integers))).join() === integers.join(), type.name);
      // A pool splits a request of this size.
      const q = await phasor.randomNormal({ seed: 1, shape: [4, 600, 32] });
      const { output } = await phasor.attention({ q, k: q, v: q, encoding: 'rope' });
      const outputs: Tensor['data'][] = [];
      for (const data of [Float64Array.from(q.data, (value) => value * (1 + 1e-9)), [...q.data]]) {
        outputs.push(
          (await phasor.attention({ q: { shape: q.shape, data }, k: q, v: { shape: q.shape, data }, encoding: 'rope' })).output.data,
        );
      }
      for (const data of outputs) assertSame({ shape: output.shape, data }, output, 'attention of other arrays');
      const error = await catchError(() => roundValues([1e39, 0, 0, 0, 0, 0]));
      check(error.code === 'invalid_argument' && /^x\[0\]: \S+ is not a finite number/.test(error.message), error.message);
      await assertErrors([
        [
          () => roundValues(new BigInt64Array(6) as never),
          'invalid_argument',
          /^x\.data: \[object BigInt64Array\] is not an array of numbers/,
        ],
        [() => roundValues(['1', '2', '3', '4', '5', '6'] as never), 'invalid_argument', /^x\.data: .* is not an array of numbers/],
        [
          () => roundValues([true, false, true, false, true, false] as never),
          'invalid_argument',
          /^x\.data: .* is not an array of numbers/,
        ],
        [() => roundValues([1, 2]), 'invalid_argument', /^x\.data: 2 values do not match its shape, which needs 6/],
        [
          () => roundValues(new DataView(new ArrayBuffer(24)) as never),
          'invalid_argument',
          /^x\.data: \[object DataView\] is not an array/,
        ],
      ]);
    },
  ],
];
