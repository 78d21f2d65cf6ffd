// Tensor handles in every engine: accepted for every tensor, and rejected by name elsewhere, or after disposal.

import type { Tensor } from '../../web/engine/types/api.ts';
import { type AnyPhasor, assertErrors, assertSame, type Contract, catchError, check } from './contract-checks.ts';
import { argumentPath, CALLS, changeField, invoke, paths, tensor } from './every-request.ts';

const isTensor = (value: unknown): value is Tensor =>
  typeof value === 'object' && value !== null && (value as Partial<Tensor>).data instanceof Float32Array;

const printed = (value: unknown) => JSON.stringify(value, (_, part) => (part instanceof Float32Array ? [...part] : part));
const without = <T extends { dispose(): void }>(handle: T) => {
  handle.dispose();
  return handle;
};

/** Runs `run` for every tensor of every call, with its name in errors; each call has a separate copy of the cache. */
async function everyTensor(
  phasor: AnyPhasor,
  run: (method: string, name: string, provided: Tensor, askWith: (value: unknown) => unknown) => Promise<void>,
) {
  const cache = await phasor.createCache({ heads: 1, headDim: 2, maxLength: 100 });
  for (const call of CALLS) {
    const [method, ...args] = call;
    for (const path of paths(args, isTensor)) {
      const input = path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], args) as Tensor;
      const askWith = async (value: unknown) => {
        const fork = await cache.fork();
        try {
          return await invoke(phasor, changeField(call, path, { value, enumerable: true }), fork);
        } finally {
          fork.dispose();
        }
      };
      await run(method, argumentPath(call, path), input, askWith);
    }
  }
  cache.dispose();
}

export const tensorHandleCases: Contract = [
  [
    'accepts a tensor handle in place of every tensor, with bitwise equal results',
    async (phasor) => {
      const seen: string[] = [];
      await everyTensor(phasor, async (method, name, given, askWith) => {
        const tensorHandle = await phasor.createTensor(given);
        for (let again = 0; again < 2; again++) {
          const [got, expected] = [printed(await askWith(tensorHandle)), printed(await askWith(given))];
          check(got === expected, `${method}, ${name}: ${got} instead of ${expected}`);
        }
        tensorHandle.dispose();
        seen.push(`${method} ${name}`);
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
        check(seen.includes(position), `${position} was tried; there were ${seen.join(', ')}`);
      }
      check(seen.length > 30, `${seen.length} places were tried`);
    },
  ],
  [
    'rejects a disposed tensor handle by name in place of every tensor',
    async (phasor) => {
      await everyTensor(phasor, async (method, name, given, askWith) => {
        const kept = without(await phasor.createTensor(given));
        const error = await catchError(() => askWith(kept));
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
      const kept = await phasor.createTensor(custom);
      custom.data.fill(9);
      check(kept.kind === 'tensor' && kept.shape.join() === '2,2' && !kept.disposed, `it is ${printed(kept)}`);
      const table = tensor(2, 2);
      const sum = await phasor.combine({ x: kept, table });
      check(sum.data.join() === '1.5,2.5,3.5,4.5', `the numbers are those of then: ${sum.data.join()}`);
      assertSame(
        await phasor.combine({ x: kept, table: kept }),
        await phasor.combine({ x: kept, table: { ...custom, data: [1, 2, 3, 4] } }),
        'twice in one call',
      );
      // Other array types and existing handles are accepted too.
      const doubles = await phasor.createTensor({ shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) });
      const again = await phasor.createTensor(kept as never);
      kept.dispose();
      for (const each of [doubles, again]) assertSame(await phasor.combine({ x: each, table }), sum, 'the same numbers');
      doubles.dispose();
      again.dispose();

      const given = (value: unknown) => () => phasor.createTensor(value as never);
      await assertErrors([
        [given(undefined), 'invalid_argument', /^tensor: undefined is not a tensor \{shape, data\}$/],
        [given(null), 'invalid_argument', /^tensor: undefined is not a tensor/],
        [given(7), 'invalid_argument', /^tensor: 7 is not a tensor/],
        [given('q'), 'invalid_argument', /^tensor: "q" is not a tensor/],
        [given([1, 2]), 'invalid_argument', /^tensor: a list of 2 numbers is not a tensor/],
        [given(new Float32Array(2)), 'invalid_argument', /^tensor: a list of 2 numbers is not a tensor/],
        [given({ shape: [2] }), 'invalid_argument', /^tensor: an object is not a tensor/],
        [given({ shape: [3], data: [1, 2] }), 'invalid_argument', /^tensor\.data: 2 values do not match its shape, which needs 3$/],
        [given({ shape: [-2], data: [1, 2] }), 'invalid_argument', /^tensor\.shape: -2 is not a whole number/],
        [given({ shape: [2], data: [1, Number.NaN] }), 'invalid_argument', /^tensor\[1\]: NaN is not a finite number$/],
        [given({ shape: [1], data: [1e39] }), 'invalid_argument', /^tensor\[0\]: Infinity is not a finite number$/],
        [given({ shape: [1], data: [1], stride: [1] }), 'unknown_name', /^tensor\.stride is not a field of createTensor/],
        [given({ shape: [2], data: [1], strides: [1] }), 'invalid_argument', /^tensor/],
        [() => (phasor.createTensor as (...args: unknown[]) => unknown)(custom, 5), 'invalid_argument', /^createTensor: argument 2 is 5; /],
      ]);
    },
  ],
];
