// Tensor handles in every engine: accepted for every tensor, and rejected by name elsewhere, or after disposal.

import type { Tensor } from '../../web/engine/types/api.ts';
import { type AnyPhasor, assertErrors, assertSame, type Contract, catchError, check } from './contract-checks.ts';
import { argumentPath, CALLS, changeField, invoke, paths, tensor } from './every-request.ts';

const isTensor = (value: unknown): value is Tensor =>
  typeof value === 'object' && value !== null && (value as Partial<Tensor>).data instanceof Float32Array;

const print = (value: unknown) => JSON.stringify(value, (_, part) => (part instanceof Float32Array ? [...part] : part));
const withoutDispose = <T extends { dispose(): void }>(handle: T) => {
  handle.dispose();
  return handle;
};

/** Runs `run` for every tensor of every call, with its name in errors; each call has a separate copy of the cache. */
async function visitTensors(
  phasor: AnyPhasor,
  run: (method: string, name: string, tensor: Tensor, runWith: (value: unknown) => unknown) => Promise<void>,
) {
  const cache = await phasor.createCache({ heads: 1, headDim: 2, maxLength: 100 });
  for (const call of CALLS) {
    const [method, ...args] = call;
    for (const path of paths(args, isTensor)) {
      const input = path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], args) as Tensor;
      const runWith = async (value: unknown) => {
        const fork = await cache.fork();
        try {
          return await invoke(phasor, changeField(call, path, { value, enumerable: true }), fork);
        } finally {
          fork.dispose();
        }
      };
      await run(method, argumentPath(call, path), input, runWith);
    }
  }
  cache.dispose();
}

export const tensorHandleCases: Contract = [
  [
    'accepts a tensor handle in place of every tensor, with bitwise equal results',
    async (phasor) => {
      const visitedNames: string[] = [];
      await visitTensors(phasor, async (method, name, tensor, runWith) => {
        const tensorHandle = await phasor.createTensor(tensor);
        for (let attempt = 0; attempt < 2; attempt++) {
          const [actual, expected] = [print(await runWith(tensorHandle)), print(await runWith(tensor))];
          check(actual === expected, `${method}, ${name}: ${actual} instead of ${expected}`);
        }
        tensorHandle.dispose();
        visitedNames.push(`${method} ${name}`);
      });
      for (const position of [
        'attention q',
        'attention v',
        'positionTable encoding.table',
        'applyRotary x',
        'decode k',
        'selfAttentionBackward dOutput',
        'createTensor tensor',
      ]) {
        check(visitedNames.includes(position), `${position} was tried; there were ${visitedNames.join(', ')}`);
      }
      check(visitedNames.length > 30, `${visitedNames.length} places were tried`);
    },
  ],
  [
    'rejects a disposed tensor handle by name in place of every tensor',
    async (phasor) => {
      await visitTensors(phasor, async (method, name, tensor, runWith) => {
        const copy = withoutDispose(await phasor.createTensor(tensor));
        const error = await catchError(() => runWith(copy));
        check(
          error.code === 'invalid_argument' && error.message === `${name}: this tensor handle is disposed`,
          `${method}, ${name}: ${error.code} ${error.message}`,
        );
      });
    },
  ],
  [
    'copies the values of a tensor, and rejects invalid tensors',
    async (phasor) => {
      const custom = { shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) };
      const copy = await phasor.createTensor(custom);
      custom.data.fill(9);
      check(copy.kind === 'tensor' && copy.shape.join() === '2,2' && !copy.disposed, `it is ${print(copy)}`);
      const table = tensor(2, 2);
      const sum = await phasor.combine({ x: copy, table });
      check(sum.data.join() === '1.5,2.5,3.5,4.5', `the numbers are those of then: ${sum.data.join()}`);
      assertSame(
        await phasor.combine({ x: copy, table: copy }),
        await phasor.combine({ x: copy, table: { ...custom, data: [1, 2, 3, 4] } }),
        'twice in one call',
      );
      // Other array types and existing handles are accepted too.
      const doubles = await phasor.createTensor({ shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) });
      const secondHandle = await phasor.createTensor(copy as never);
      copy.dispose();
      for (const each of [doubles, secondHandle]) assertSame(await phasor.combine({ x: each, table }), sum, 'the same numbers');
      doubles.dispose();
      secondHandle.dispose();

      const createFrom = (value: unknown) => () => phasor.createTensor(value as never);
      await assertErrors([
        [createFrom(undefined), 'invalid_argument', /^tensor: undefined is not a tensor \{shape, data\}$/],
        [createFrom(null), 'invalid_argument', /^tensor: undefined is not a tensor/],
        [createFrom(7), 'invalid_argument', /^tensor: 7 is not a tensor/],
        [createFrom('q'), 'invalid_argument', /^tensor: "q" is not a tensor/],
        [createFrom([1, 2]), 'invalid_argument', /^tensor: a list of 2 numbers is not a tensor/],
        [createFrom(new Float32Array(2)), 'invalid_argument', /^tensor: a list of 2 numbers is not a tensor/],
        [createFrom({ shape: [2] }), 'invalid_argument', /^tensor: an object is not a tensor/],
        [createFrom({ shape: [3], data: [1, 2] }), 'invalid_argument', /^tensor\.data: 2 values do not match its shape, which needs 3$/],
        [createFrom({ shape: [-2], data: [1, 2] }), 'invalid_argument', /^tensor\.shape: -2 is not a whole number/],
        [createFrom({ shape: [2], data: [1, Number.NaN] }), 'invalid_argument', /^tensor\[1\]: NaN is not a finite number$/],
        [createFrom({ shape: [1], data: [1e39] }), 'invalid_argument', /^tensor\[0\]: Infinity is not a finite number$/],
        [createFrom({ shape: [1], data: [1], stride: [1] }), 'unknown_name', /^tensor\.stride is not a field of createTensor/],
        [createFrom({ shape: [2], data: [1], strides: [1] }), 'invalid_argument', /^tensor/],
        [() => (phasor.createTensor as (...args: unknown[]) => unknown)(custom, 5), 'invalid_argument', /^createTensor: argument 2 is 5; /],
      ]);
    },
  ],
];
