// Results written into the caller's arrays: bitwise equal to new arrays, or an error and nothing written.

import type { Tensor } from '../../web/engine/types/api.ts';
import { type AnyPhasor, assertErrors, assertSame, type Contract, catchError, check } from './contract-checks.ts';
import { CALLS, detach, invoke, tensor } from './every-request.ts';

const isTensor = (value: object): value is Tensor => 'shape' in value && 'data' in value;
const SENTINEL = 7;
const createBuffer = (length: number) => new Float32Array(length).fill(SENTINEL);
const isUntouched = (...arrays: Float32Array[]) => arrays.every((array) => array.every((number) => number === SENTINEL));

/** Applies `make` to each tensor of a result, and keeps the names. */
function createOut(result: object, make: (tensor: Tensor) => unknown): unknown {
  if (isTensor(result)) return make(result);
  const entries = Object.entries(result).filter(([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, createOut(value as object, make)]));
}

function compare(result: object, expected: object, out: unknown, label: string): number {
  if (isTensor(expected)) {
    assertSame(result as Tensor, expected, label);
    const buffer = ArrayBuffer.isView(out) ? out : (out as Tensor).data;
    check((result as Tensor).data === buffer, `${label}: the result is another array`);
    return 1;
  }
  let count = 0;
  for (const [name, value] of Object.entries(expected)) {
    const [resultValue, outValue] = [result[name as never], (out as object)[name as never]];
    if (outValue === undefined)
      check(JSON.stringify(resultValue) === JSON.stringify(value), `${label}.${name}: ${resultValue} instead of ${value}`);
    else count += compare(resultValue, value, outValue, `${label}.${name}`);
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
      let writeCount = 0;
      for (const [method, ...args] of CALLS) {
        if (NO_ARRAYS.test(method)) continue;
        const last = args.length - 1;
        const run = async (options: object) => {
          const fork = await cache.fork();
          return (await invoke(phasor, [method, ...args.slice(0, last), { ...args[last], ...options }], fork)) as object;
        };
        const expected = await run({});
        const outFormats = [
          ({ data }: Tensor) => createBuffer(data.length),
          ({ shape, data }: Tensor) => ({ shape, data: createBuffer(data.length) }),
        ];
        for (const make of outFormats) {
          const out = createOut(expected, make);
          const count = compare(await run({ out }), expected, out, method);
          check(count > 0, `${method}: no array is in its result`);
          writeCount += count;
        }
      }
      check(writeCount > 60, `only ${writeCount} arrays were written`);
    },
  ],
  [
    'writes the results of attention into the given arrays and allocates the others',
    async (phasor) => {
      const { q, k, v } = await request(phasor);
      const allOutputs = { q, k, v, encoding: 'alibi', outputs: ['weights', 'scores', 'bias', 'pooledWeights'] as const };
      const expected = await phasor.attention(allOutputs);
      const out = createOut(expected, ({ data }) => createBuffer(data.length)) as object;
      check(compare(await phasor.attention({ ...allOutputs, out }), expected, out, 'attention') === 6, 'there are six arrays');
      const bias = createBuffer(30);
      const partialOutput = await phasor.attention({ ...allOutputs, out: { bias, weights: undefined } });
      check(partialOutput.bias.data === bias, 'the bias is another array');
      assertSame(partialOutput.bias, expected.bias, 'bias');
      assertSame(partialOutput.output, expected.output, 'output');
      assertSame(await phasor.randomNormal({ seed: 1, shape: [2, 3, 4], out: null as never }), q, 'null is no array');
    },
  ],
  [
    'writes into a view of a buffer that holds an argument, and leaves the rest unchanged',
    async (phasor) => {
      const { q, k, v } = await request(phasor);
      const expected = await phasor.attention({ q, k, v });
      const buffer = createBuffer(100);
      const ownTensor = { shape: q.shape, data: buffer.subarray(10, 34) };
      ownTensor.data.set(q.data);
      const output = buffer.subarray(34, 58);
      const result = await phasor.attention({ q: ownTensor, k, v, out: { output } });
      assertSame(result.output, expected.output, 'output');
      check(isUntouched(buffer.subarray(0, 10), buffer.subarray(58)), 'its neighbours have changed');
      assertSame(ownTensor, q, 'the argument');
    },
  ],
  [
    'rejects an array that cannot hold the result, and writes nothing',
    async (phasor) => {
      const { q, k, v } = await request(phasor);
      const output = createBuffer(24);
      const weights = createBuffer(30);
      const outputs = ['weights'] as const;
      const attend = (out: unknown) => () => phasor.attention({ q, k, v, outputs, out: out as never });
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
        [attend({ output, weights: createBuffer(29) }), /^out\.weights: has 29 values; expected 30 \(2 x 3 x 5\)$/],
        [attend({ output: createBuffer(25), weights }), /^out\.output: has 25 values; expected 24 \(2 x 3 x 4\)$/],
        [
          attend({ output, weights: { shape: [2, 5, 3], data: weights } }),
          /^out\.weights: has shape 2 x 5 x 3; expected 2 x 3 x 5, the shape of the result$/,
        ],
        [
          attend({ output: { shape: [2, 3, 4], data: output, strides: [1, 1, 1] } }),
          /^out\.output\.strides: is not allowed, because results are row-major; expected only shape and data$/,
        ],
        [attend({ output: { shape: 'x', data: output } }), /^out\.output\.shape: "x" is not a list of whole numbers$/],
        [attend({ output, scores: createBuffer(30) }), /^out\.scores: is not a result; expected output, weights$/],
        [attend({ output, map: { mean: createBuffer(30) } }), /^out\.map\.mean: is not a result; expected output, weights$/],
        [attend(output), /^out: is not a result; expected output, weights$/],
        [rotate({ output }), /^out\.output: the result is a single tensor; expected a single array as out$/],
        [rotate(createBuffer(23)), /^out: has 23 values; expected 24 \(2 x 3 x 4\)$/],
        [rotate(q.data), /^out: overlaps x\.data$/],
        [rotate(q.data.subarray(1)), /^out: overlaps x\.data$/],
        [attend({ output: v.data.subarray(16) }), /^out\.output: overlaps v\.data$/],
        [attend({ output, weights: new Float32Array(output.buffer, 0, 10) }), /^out\.weights: overlaps out\.output$/],
        [attend({ output: detach(createBuffer(24)), weights }), /^out\.output: has a detached or resized buffer$/],
      ]);
      if (typeof SharedArrayBuffer === 'function') {
        const shared = new Float32Array(new SharedArrayBuffer(96)).fill(SENTINEL);
        await invalid([[attend({ output: shared, weights }), /^out\.output: is in shared memory, which other threads may write to$/]]);
        check(isUntouched(shared), 'the shared array has changed');
      }
      const throwingOut = {
        get output(): never {
          throw new Error('not today');
        },
      };
      await invalid([[attend(throwingOut), /^out\.output: cannot be read \(not today\)$/]]);
      check(isUntouched(output, weights), 'something was written');
      // A call that fails for another reason writes nothing either.
      check(/^v/.test((await catchError(() => phasor.attention({ q, k, v: q, out: { output } }))).message), 'v has other tokens');
      check(isUntouched(output), 'a call that failed has written');
      assertSame(
        (await phasor.attention({ q, k, v, outputs, out: { output, weights } })).output,
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
      const decode = (options: object) => cache.decode({ q: x, k: x, v: x, ...options });
      check((await decode({})).length === 1, 'the first token');
      await assertErrors([
        [() => decode({ out: { output: createBuffer(3) } }), 'invalid_argument', /^out\.output: has 3 values; expected 2 \(1 x 1 x 2\)$/],
        [() => decode({ out: { bias: createBuffer(3) } }), 'invalid_argument', /^out\.bias: is not a result; expected output$/],
      ]);
      const output = createBuffer(2);
      const { length } = await decode({ out: { output } });
      check(length === 2 && !isUntouched(output), `the second token makes ${length}`);
    },
  ],
  [
    'rejects out for methods whose result has no arrays',
    async (phasor) => {
      const methodsWithoutOut = CALLS.filter(
        ([method]) => NO_ARRAYS.test(method) && !/^(createTensor|ropeFromConfig|encodingFromConfig|layersFromConfig)$/.test(method),
      );
      for (const [method, fields] of methodsWithoutOut) {
        const { message } = await catchError(() => invoke(phasor, [method, { ...fields, out: createBuffer(4) }]));
        check(message.startsWith(`out is not a field of ${method}`), `${method}: ${message}`);
      }
    },
  ],
];
