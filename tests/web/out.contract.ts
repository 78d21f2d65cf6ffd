// Results written into the caller's arrays: bitwise equal to new arrays, or an error and nothing written.

import type { Tensor } from '../../web/engine/types/api.ts';
import { type AnyPhasor, assertErrors, assertSame, type Contract, catchError, check } from './contract-checks.ts';
import { CALLS, detach, invoke, tensor } from './every-request.ts';

const isTensor = (value: object): value is Tensor => 'shape' in value && 'data' in value;
const UNTOUCHED = 7;
const fresh = (length: number) => new Float32Array(length).fill(UNTOUCHED);
const untouched = (...arrays: Float32Array[]) => arrays.every((array) => array.every((number) => number === UNTOUCHED));

/** Applies `make` to each tensor of a result, and keeps the names. */
function outFor(result: object, make: (tensor: Tensor) => unknown): unknown {
  if (isTensor(result)) return make(result);
  const entries = Object.entries(result).filter(([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, outFor(value as object, make)]));
}

function compare(got: object, expected: object, out: unknown, label: string): number {
  if (isTensor(expected)) {
    assertSame(got as Tensor, expected, label);
    const own = ArrayBuffer.isView(out) ? out : (out as Tensor).data;
    check((got as Tensor).data === own, `${label}: the result is another array`);
    return 1;
  }
  let count = 0;
  for (const [name, value] of Object.entries(expected)) {
    const [other, inner] = [got[name as never], (out as object)[name as never]];
    if (inner === undefined) check(JSON.stringify(other) === JSON.stringify(value), `${label}.${name}: ${other} instead of ${value}`);
    else count += compare(other, value, inner, `${label}.${name}`);
  }
  return count;
}

const NO_ARRAYS =
  /^(ropeFromConfig|encodingFromConfig|layersFromConfig|createTensor|createEncoding|tableStatistics|shiftError|relativePositionError)$/;

const random = (phasor: AnyPhasor, seed: number, ...shape: number[]) => phasor.randomNormal({ seed, shape });

/** 2 heads, 3 queries, 5 keys and 4 channels. */
async function request(phasor: AnyPhasor) {
  const [q, k, v] = [await random(phasor, 1, 2, 3, 4), await random(phasor, 2, 2, 5, 4), await random(phasor, 3, 2, 5, 4)];
  return { q, k, v };
}

export const outCases: Contract = [
  [
    'writes the results of every method into arrays of the caller',
    async (phasor) => {
      const cache = await phasor.createCache({ heads: 1, headDim: 2, maxLength: 8 });
      let written = 0;
      for (const [method, ...args] of CALLS) {
        if (NO_ARRAYS.test(method)) continue;
        const last = args.length - 1;
        const run = async (more: object) => {
          const own = await cache.fork();
          return (await invoke(phasor, [method, ...args.slice(0, last), { ...args[last], ...more }], own)) as object;
        };
        const expected = await run({});
        const makers = [({ data }: Tensor) => fresh(data.length), ({ shape, data }: Tensor) => ({ shape, data: fresh(data.length) })];
        for (const make of makers) {
          const out = outFor(expected, make);
          const count = compare(await run({ out }), expected, out, method);
          check(count > 0, `${method}: no array is in its result`);
          written += count;
        }
      }
      check(written > 60, `only ${written} arrays were written`);
    },
  ],
  [
    'writes the results of attention into the given arrays and allocates the others',
    async (phasor) => {
      const { q, k, v } = await request(phasor);
      const all = { q, k, v, encoding: 'alibi', outputs: ['weights', 'scores', 'bias', 'pooledWeights'] as const };
      const expected = await phasor.attention(all);
      const out = outFor(expected, ({ data }) => fresh(data.length)) as object;
      check(compare(await phasor.attention({ ...all, out }), expected, out, 'attention') === 6, 'there are six arrays');
      const bias = fresh(30);
      const some = await phasor.attention({ ...all, out: { bias, weights: undefined } });
      check(some.bias.data === bias, 'the bias is another array');
      assertSame(some.bias, expected.bias, 'bias');
      assertSame(some.output, expected.output, 'output');
      assertSame(await phasor.randomNormal({ seed: 1, shape: [2, 3, 4], out: null as never }), q, 'null is no array');
    },
  ],
  [
    'writes into a view of a buffer that holds an argument, and leaves the rest unchanged',
    async (phasor) => {
      const { q, k, v } = await request(phasor);
      const expected = await phasor.attention({ q, k, v });
      const buffer = fresh(100);
      const own = { shape: q.shape, data: buffer.subarray(10, 34) };
      own.data.set(q.data);
      const output = buffer.subarray(34, 58);
      const result = await phasor.attention({ q: own, k, v, out: { output } });
      assertSame(result.output, expected.output, 'output');
      check(untouched(buffer.subarray(0, 10), buffer.subarray(58)), 'its neighbours have changed');
      assertSame(own, q, 'the argument');
    },
  ],
  [
    'rejects an array that cannot hold the result, and writes nothing',
    async (phasor) => {
      const { q, k, v } = await request(phasor);
      const output = fresh(24);
      const weights = fresh(30);
      const want = ['weights'] as const;
      const attend = (out: unknown) => () => phasor.attention({ q, k, v, outputs: want, out: out as never });
      const rotate = (out: unknown) => () => phasor.applyRotary(q, { encoding: 'rope', out: out as never });
      const invalid = (calls: (readonly [() => unknown, RegExp])[]) =>
        assertErrors(calls.map(([call, sentence]) => [call, 'invalid_argument', sentence] as const));
      await invalid([
        [attend(5), /^out: 5 is not a Float32Array$/],
        [attend([output]), /^out: a list is not a Float32Array$/],
        [attend({ output: new Float64Array(24) }), /^out\.output: \[object Float64Array\] is not a Float32Array$/],
        [attend({ output: [1, 2] }), /^out\.output: a list is not a Float32Array$/],
        [attend({ output: 'x' }), /^out\.output: "x" is not a Float32Array$/],
        [attend({ output: { shape: [2, 3, 4], data: Array.from(output) } }), /^out\.output\.data: a list is not a Float32Array$/],
        [attend({ output, weights: fresh(29) }), /^out\.weights: has 29 values; expected 30 \(2 x 3 x 5\)$/],
        [attend({ output: fresh(25), weights }), /^out\.output: has 25 values; expected 24 \(2 x 3 x 4\)$/],
        [
          attend({ output, weights: { shape: [2, 5, 3], data: weights } }),
          /^out\.weights: has shape 2 x 5 x 3; expected 2 x 3 x 5, the shape of the result$/,
        ],
        [
          attend({ output: { shape: [2, 3, 4], data: output, strides: [1, 1, 1] } }),
          /^out\.output\.strides: is not allowed, because results are row-major; expected only shape and data$/,
        ],
        [attend({ output: { shape: 'x', data: output } }), /^out\.output\.shape: "x" is not a list of whole numbers$/],
        [attend({ output, scores: fresh(30) }), /^out\.scores: is not a result; expected output, weights$/],
        [attend({ output, map: { mean: fresh(30) } }), /^out\.map\.mean: is not a result; expected output, weights$/],
        [attend(output), /^out: is not a result; expected output, weights$/],
        [rotate({ output }), /^out\.output: the result is a single tensor; expected a single array as out$/],
        [rotate(fresh(23)), /^out: has 23 values; expected 24 \(2 x 3 x 4\)$/],
        [rotate(q.data), /^out: overlaps x\.data$/],
        [rotate(q.data.subarray(1)), /^out: overlaps x\.data$/],
        [attend({ output: v.data.subarray(16) }), /^out\.output: overlaps v\.data$/],
        [attend({ output, weights: new Float32Array(output.buffer, 0, 10) }), /^out\.weights: overlaps out\.output$/],
        [attend({ output: detach(fresh(24)), weights }), /^out\.output: has a detached or resized buffer$/],
      ]);
      if (typeof SharedArrayBuffer === 'function') {
        const shared = new Float32Array(new SharedArrayBuffer(96)).fill(UNTOUCHED);
        await invalid([[attend({ output: shared, weights }), /^out\.output: is in shared memory, which other threads may write to$/]]);
        check(untouched(shared), 'the shared array has changed');
      }
      const rude = {
        get output(): never {
          throw new Error('not today');
        },
      };
      await invalid([[attend(rude), /^out\.output: cannot be read \(not today\)$/]]);
      check(untouched(output, weights), 'something was written');
      // A call that fails for another reason writes nothing either.
      check(/^v/.test((await catchError(() => phasor.attention({ q, k, v: q, out: { output } }))).message), 'v has other tokens');
      check(untouched(output), 'a call that failed has written');
      assertSame(
        (await phasor.attention({ q, k, v, outputs: want, out: { output, weights } })).output,
        (await phasor.attention({ q, k, v })).output,
        'then',
      );
    },
  ],
  [
    'appends nothing to a cache if the output array is rejected',
    async (phasor) => {
      const cache = await phasor.createCache({ heads: 1, headDim: 2, maxLength: 4 });
      const x = tensor(1, 1, 2);
      const decode = (more: object) => cache.decode({ q: x, k: x, v: x, ...more });
      check((await decode({})).length === 1, 'the first token');
      await assertErrors([
        [() => decode({ out: { output: fresh(3) } }), 'invalid_argument', /^out\.output: has 3 values; expected 2 \(1 x 1 x 2\)$/],
        [() => decode({ out: { bias: fresh(3) } }), 'invalid_argument', /^out\.bias: is not a result; expected output$/],
      ]);
      const output = fresh(2);
      const { length } = await decode({ out: { output } });
      check(length === 2 && !untouched(output), `the second token makes ${length}`);
    },
  ],
  [
    'rejects out for methods whose result has no arrays',
    async (phasor) => {
      const without = CALLS.filter(
        ([method]) => NO_ARRAYS.test(method) && !/^(createTensor|ropeFromConfig|encodingFromConfig|layersFromConfig)$/.test(method),
      );
      for (const [method, fields] of without) {
        const { message } = await catchError(() => invoke(phasor, [method, { ...fields, out: fresh(4) }]));
        check(message.startsWith(`out is not a field of ${method}`), `${method}: ${message}`);
      }
    },
  ],
];
