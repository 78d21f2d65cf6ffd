// What every engine does, whether it runs on the calling thread or in a worker, in Node or in a browser. The cases know no
// test runner: tests/web/engine.test.ts runs them under Vitest, tests/browser/engine.spec.ts inside Chromium.

import type { Phasor, RemotePhasor, Tensor } from '../../web/engine/types.ts';

export type AnyPhasor = Phasor | RemotePhasor;
export interface ContractCase {
  readonly name: string;
  readonly run: (phasor: AnyPhasor) => Promise<void>;
}

function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

function close(got: number | undefined, expected: number, tolerance: number, what: string): void {
  check(got !== undefined && Math.abs(got - expected) <= tolerance * (1 + Math.abs(expected)), `${what}: ${got} instead of ${expected}`);
}

/** The message and code of the PhasorError that `run` throws, at once or as a rejected promise. */
async function failure(run: () => unknown): Promise<{ name: string; code: string; message: string }> {
  try {
    await run();
  } catch (error) {
    return error as { name: string; code: string; message: string };
  }
  throw new Error('no error was thrown');
}

const at = (t: Tensor, ...index: number[]) => t.data[index.reduce((flat, i, axis) => flat * (t.shape[axis] ?? 0) + i, 0)];

const cases: [string, (phasor: AnyPhasor) => Promise<void>][] = [
  [
    'lists the encodings with parameters that describe themselves',
    async (phasor) => {
      const rope = phasor.encodings.find((encoding) => encoding.id === 'rope');
      check(rope?.injection === 'query_key' && rope.relative && !rope.learned, 'rope enters at query_key');
      const base = rope.params.find((param) => param.name === 'base');
      check(base?.kind === 'real' && base.default === 10000 && base.logarithmic, 'base is a real number, 10000 by default');
      const layout = rope.params.find((param) => param.name === 'layout');
      check(layout?.choices.join() === 'interleaved,half_split' && layout.default === 'interleaved', 'layout has its two choices');
      check(/^\d+\.\d+\.\d+/.test(phasor.version), `the version is ${phasor.version}`);
    },
  ],
  [
    'computes the sinusoidal table, exact at far positions',
    async (phasor) => {
      const table = await phasor.table({ encoding: 'sinusoidal', length: 3, width: 6 });
      check(table.shape.join() === '3,6', `its shape is ${table.shape.join()}`);
      close(at(table, 1, 0), Math.sin(1), 1e-7, 'sin 1');
      close(at(table, 2, 1), Math.cos(2), 1e-7, 'cos 2');
      close(at(table, 1, 2), Math.sin(10000 ** (-2 / 6)), 1e-7, 'the second frequency');
      const far = await phasor.table({ encoding: 'sinusoidal', length: 1, width: 4, offset: 1_000_000 });
      close(at(far, 0, 0), Math.sin(1_000_000), 1e-6, 'sin 1000000');
    },
  ],
  [
    'adds the ALiBi bias after scaling',
    async (phasor) => {
      const bias = await phasor.bias({ encoding: 'alibi', heads: 6, queries: 2, keys: 5 });
      check(bias.shape.join() === '6,2,5', `its shape is ${bias.shape.join()}`);
      close(at(bias, 0, 0, 0), -3 / 4, 1e-7, 'the first query stands at position 3');
      close(at(bias, 4, 1, 0), -4 / 2, 1e-7, 'head 5 of 6 has slope 1/2');
    },
  ],
  [
    'turns queries by their positions',
    async (phasor) => {
      const x = { shape: [1, 2, 2], data: new Float32Array([1, 0, 1, 0]) };
      const turned = await phasor.rotate(x, { encoding: 'rope', positions: [0.5, 3] });
      close(at(turned, 0, 0, 0), Math.cos(0.5), 1e-6, 'cos 0.5');
      close(at(turned, 0, 1, 1), Math.sin(3), 1e-6, 'sin 3');
      check(x.data[2] === 1, 'the argument is left as it was');
      const angles = await phasor.angles({ encoding: 'rope', length: 4, width: 8, base: 100 });
      check(angles.shape.join() === '4,4', `its shape is ${angles.shape.join()}`);
      close(at(angles, 3, 2), 3 * 100 ** (-4 / 8), 1e-6, 'the third angle of position 3');
    },
  ],
  [
    'attends: weights are a softmax, the output their mean of the values',
    async (phasor) => {
      const q = { shape: [1, 2, 1], data: new Float32Array([1, 2]) };
      const k = { shape: [1, 2, 1], data: new Float32Array([0, Math.LN2]) };
      const v = { shape: [1, 2, 1], data: new Float32Array([3, 6]) };
      const free = await phasor.attention({ q, k, v, scale: 1, want: ['weights', 'scores', 'bias'] });
      close(at(free.weights!, 0, 0, 1), 2 / 3, 1e-6, 'the weight of the second key');
      close(at(free.output, 0, 0, 0), 5, 1e-6, 'the output');
      close(at(free.scores!, 0, 1, 1), 2 * Math.LN2, 1e-6, 'the score');
      check(at(free.bias!, 0, 1, 0) === 0, 'no encoding adds nothing');
      const causal = await phasor.attention({ q, k, v, scale: 1, mask: 'causal', want: ['weights'] });
      check(at(causal.weights!, 0, 0, 1) === 0 && at(causal.output, 0, 0, 0) === 3, 'the first query sees itself only');
      const hidden = await phasor.attention({ q, k, v, keyMask: [0, 0], want: ['weights'] });
      check(
        [...hidden.weights!.data, ...hidden.output.data].every((value) => value === 0),
        'a row without a visible key is zero',
      );
      check(!('weights' in (await phasor.attention({ q, k, v }))), 'weights are returned only when wanted');
    },
  ],
  [
    'shows that attention without positions does not notice order',
    async (phasor) => {
      const length = 9;
      const width = 16;
      const x = await phasor.gaussian({ seed: 7, shape: [length, width] });
      const order = [3, 1, 4, 0, 5, 8, 2, 6, 7];
      const moved = { shape: x.shape, data: Float32Array.from(order.flatMap((p) => [...x.data.subarray(p * width, (p + 1) * width)])) };
      const error = async (options: object) => {
        const before = (await phasor.layer({ x, heads: 4, projections: 'orthogonal', seed: 3, ...options })).output;
        const after = (await phasor.layer({ x: moved, heads: 4, projections: 'orthogonal', seed: 3, ...options })).output;
        return (await phasor.permutationError({ before, after, order })).largest;
      };
      const none = await error({});
      check(none < 2e-6, `outputs only move: ${none}`);
      for (const options of [{ encoding: 'sinusoidal' }, { encoding: 'rope' }, { encoding: 'alibi' }, { mask: 'causal' }]) {
        const largest = await error(options);
        check(largest > 0.01, `order matters with ${JSON.stringify(options)}: ${largest}`);
      }
    },
  ],
  [
    'measures similarity and draws the same numbers for the same seed',
    async (phasor) => {
      const table = await phasor.table({ encoding: 'sinusoidal', length: 5, width: 8 });
      const cosine = await phasor.similarity({ table });
      close(at(cosine, 2, 2), 1, 1e-6, 'a row is like itself');
      close(at(cosine, 0, 1), at(cosine, 3, 4) ?? Number.NaN, 1e-6, 'similarity depends on the distance');
      const first = await phasor.gaussian({ seed: 5, shape: [2, 3] });
      const again = await phasor.gaussian({ seed: 5, shape: [2, 3] });
      check(
        first.data.every((value, i) => value === again.data[i]),
        'the same seed, the same numbers',
      );
    },
  ],
  [
    'answers bad input with one sentence and goes on working',
    async (phasor) => {
      const x = { shape: [1, 1, 7], data: new Float32Array(7) };
      const expected: [() => unknown, string, RegExp][] = [
        [() => phasor.rotate(x, { encoding: 'rope' }), 'invalid_argument', /^width: 7 is odd/],
        [() => phasor.table({ encoding: 'sinusoidal', length: 4, width: 4, base: 0 }), 'invalid_argument', /^base: 0 is outside/],
        [() => phasor.table({ encoding: 'sinusoidal', length: 4, width: 4, base: -2 }), 'invalid_argument', /^base: -2 is outside/],
        [() => phasor.table({ encoding: 'sinusoidal', length: 4, width: 4, base: Number.NaN }), 'invalid_argument', /^base: NaN/],
        [() => phasor.table({ encoding: 'sinusoidal', length: 0, width: 4 }), 'invalid_argument', /^length: 0 is outside 1 to/],
        [() => phasor.table({ encoding: 'sinusoidal', length: 1.5, width: 4 }), 'invalid_argument', /^length: 1.5 is not a whole number/],
        [
          () => phasor.table({ encoding: 'sinusoidal', length: 1, width: 4, offset: 2 ** 31 }),
          'invalid_argument',
          /^offset: 2147483648 is/,
        ],
        [() => phasor.table({ encoding: 'sinusoidal', length: 1, width: 4, bass: 3 }), 'unknown_name', /^bass: sinusoidal has no such/],
        [() => phasor.table({ encoding: 'nothing', length: 1, width: 4 }), 'unknown_name', /^encoding: "nothing" is unknown; there are/],
        [() => phasor.table({ encoding: 'rope', length: 1, width: 4 }), 'invalid_argument', /^encoding: rope has no table/],
        [() => phasor.rotate(x, { encoding: 'rope', positions: [1, 2] }), 'invalid_argument', /^width: 7 is odd|^positions: there are 2/],
        [() => phasor.layer({ x: { shape: [2, 6], data: new Float32Array(12) }, heads: 4 }), 'invalid_argument', /^heads: 4 do not divide/],
        [
          () =>
            phasor.attention({
              q: { shape: [1, 1, 2], data: new Float32Array([1, Number.NaN]) },
              k: { shape: [1, 1, 2], data: new Float32Array(2) },
              v: { shape: [1, 1, 2], data: new Float32Array(2) },
            }),
          'invalid_argument',
          /^q\[1\]: NaN is not a finite/,
        ],
        [
          () => phasor.attention({ q: x, k: x, v: { shape: [1, 2, 7], data: new Float32Array(14) } }),
          'invalid_argument',
          /^v: it has 2 tokens, but k has 1/,
        ],
        [
          () => phasor.attention({ q: x, k: x, v: { shape: [2, 7], data: new Float32Array(13) } }),
          'invalid_argument',
          /^v\.data: "?13 numbers"? is not as long/,
        ],
        [() => phasor.bias({ encoding: 'alibi', heads: 64, queries: 100000, keys: 100000 }), 'resource_exhausted', /^bias: .* MiB/],
        [() => (phasor.table as (request?: unknown) => unknown)(), 'invalid_argument', /^table: argument 1 is undefined/],
      ];
      for (const [run, code, sentence] of expected) {
        const error = await failure(run);
        check(
          error.name === 'PhasorError' && error.code === code && sentence.test(error.message),
          `${sentence}: ${error.code} ${error.message}`,
        );
      }
      check((await phasor.table({ encoding: 'sinusoidal', length: 1, width: 2 })).data[1] === 1, 'it goes on working');
    },
  ],
  [
    'keeps an answer intact while memory grows under it',
    async (phasor) => {
      const first = await phasor.gaussian({ seed: 1, shape: [64] });
      const copy = first.data.slice();
      check(first.data.buffer.byteLength === 256, 'an answer owns its buffer and nothing more');
      await phasor.gaussian({ seed: 2, shape: [8000, 1000] });
      check(first.data.length === 64 && first.data.every((value, i) => value === copy[i]), 'the first answer is as it was');
    },
  ],
];

export const contract: readonly ContractCase[] = cases.map(([name, run]) => ({ name, run }));
