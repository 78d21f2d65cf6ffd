// Kept tensors in every engine: wherever a call takes a tensor, and refused by name wherever one is not, or is gone.

import type { Tensor, TensorHandle } from '../../web/engine/types.ts';
import { type AnyPhasor, type Contract, check, failure, refuses, same } from './contract-checks.ts';
import { ask, calls, changed, named, paths, tensor } from './every-request.ts';

const isTensor = (value: unknown): value is Tensor =>
  typeof value === 'object' && value !== null && (value as Partial<Tensor>).data instanceof Float32Array;

const printed = (value: unknown) => JSON.stringify(value, (_, part) => (part instanceof Float32Array ? [...part] : part));
const without = <T extends { dispose(): void }>(handle: T) => {
  handle.dispose();
  return handle;
};

/** Every tensor of every call, with the name that sentences give it; a cache is a copy for one call. */
async function everyTensor(
  phasor: AnyPhasor,
  run: (method: string, name: string, given: Tensor, askWith: (value: unknown) => unknown) => Promise<void>,
) {
  const cache = await phasor.openCache({ heads: 1, width: 2, maxLength: 100 });
  for (const call of calls(cache)) {
    const [method, ...args] = call;
    for (const path of paths(args, isTensor)) {
      const given = path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], args) as Tensor;
      const askWith = async (value: unknown) => {
        const fork = await phasor.forkCache({ cache });
        const own = method === 'decode' ? changed(call, ['0', 'cache'], { value: fork, enumerable: true }) : call;
        try {
          return await ask(phasor, changed(own, path, { value, enumerable: true }));
        } finally {
          fork.dispose();
        }
      };
      await run(method, named(call, path), given, askWith);
    }
  }
  cache.dispose();
}

export const handleCases: Contract = [
  [
    'takes a kept tensor wherever it takes a tensor, with bitwise the same result',
    async (phasor) => {
      const seen: string[] = [];
      await everyTensor(phasor, async (method, name, given, askWith) => {
        const kept = await phasor.keep(given);
        for (let again = 0; again < 2; again++) {
          const [got, expected] = [printed(await askWith(kept)), printed(await askWith(given))];
          check(got === expected, `${method}, ${name}: ${got} instead of ${expected}`);
        }
        kept.dispose();
        seen.push(`${method} ${name}`);
      });
      for (const place of [
        'attention q',
        'attention v',
        'table encoding.table',
        'rotate x',
        'decode k',
        'layerGradient dOutput',
        'keep tensor',
      ]) {
        check(seen.includes(place), `${place} was tried; there were ${seen.join(', ')}`);
      }
      check(seen.length > 30, `${seen.length} places were tried`);
    },
  ],
  [
    'rejects a disposed tensor by name, in every place of a tensor',
    async (phasor) => {
      await everyTensor(phasor, async (method, name, given, askWith) => {
        const kept = without(await phasor.keep(given));
        const error = await failure(() => askWith(kept));
        check(
          error.code === 'invalid_argument' && error.message === `${name}: this kept tensor is disposed`,
          `${method}, ${name}: ${error.code} ${error.message}`,
        );
      });
    },
  ],
  [
    'copies a tensor once, and rejects what is none',
    async (phasor) => {
      const mine = { shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) };
      const kept = await phasor.keep(mine);
      mine.data.fill(9);
      check(kept.kind === 'tensor' && kept.shape.join() === '2,2' && !kept.disposed, `it is ${printed(kept)}`);
      const table = tensor(2, 2);
      const sum = await phasor.combine({ x: kept, table });
      check(sum.data.join() === '1.5,2.5,3.5,4.5', `the numbers are those of then: ${sum.data.join()}`);
      same(
        await phasor.combine({ x: kept, table: kept }),
        await phasor.combine({ x: kept, table: { ...mine, data: [1, 2, 3, 4] } }),
        'twice in one call',
      );
      // Of any numbers, and one that is kept already.
      const doubles = await phasor.keep({ shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) });
      const again = await phasor.keep(kept as never);
      kept.dispose();
      for (const each of [doubles, again]) same(await phasor.combine({ x: each, table }), sum, 'the same numbers');
      doubles.dispose();
      again.dispose();

      const given = (value: unknown) => () => phasor.keep(value as never);
      await refuses([
        [given(undefined), 'invalid_argument', /^tensor: undefined is not a tensor \{shape, data\}$/],
        [given(null), 'invalid_argument', /^tensor: undefined is not a tensor/],
        [given(7), 'invalid_argument', /^tensor: 7 is not a tensor/],
        [given('q'), 'invalid_argument', /^tensor: "q" is not a tensor/],
        [given([1, 2]), 'invalid_argument', /^tensor: a list of 2 numbers is not a tensor/],
        [given(new Float32Array(2)), 'invalid_argument', /^tensor: a list of 2 numbers is not a tensor/],
        [given({ shape: [2] }), 'invalid_argument', /^tensor: an object is not a tensor/],
        [given({ shape: [3], data: [1, 2] }), 'invalid_argument', /^tensor\.data: 2 numbers is not as long as its shape says: 3$/],
        [given({ shape: [-2], data: [1, 2] }), 'invalid_argument', /^tensor\.shape: -2 is not a whole number/],
        [given({ shape: [2], data: [1, Number.NaN] }), 'invalid_argument', /^tensor\[1\]: NaN is not a finite number$/],
        [given({ shape: [1], data: [1e39] }), 'invalid_argument', /^tensor\[0\]: Infinity is not a finite number$/],
        [given({ shape: [1], data: [1], stride: [1] }), 'unknown_name', /^tensor\.stride is not a field of keep/],
        [given({ shape: [2], data: [1], strides: [1] }), 'invalid_argument', /^tensor/],
        [() => (phasor.keep as (...args: unknown[]) => unknown)(mine, 5), 'invalid_argument', /^keep: argument 2 is 5; /],
      ]);
    },
  ],
  [
    'rejects a handle where something else is needed',
    async (phasor) => {
      const q = tensor(1, 2, 2);
      const kept = await phasor.keep(q);
      const row = await phasor.keep(tensor(2));
      const made = await phasor.prepare({ encoding: 'rope', length: 2, width: 2 });
      const cache = await phasor.openCache({ heads: 1, width: 2, maxLength: 2 });
      const attention = (more: object) => () => phasor.attention({ q, k: q, v: q, ...more });
      await refuses([
        [attention({ q: made }), 'invalid_argument', /^q: a prepared encoding is not a tensor \{shape, data\}$/],
        [attention({ v: cache }), 'invalid_argument', /^v: a cache is not a tensor \{shape, data\}$/],
        [
          attention({ encoding: kept }),
          'invalid_argument',
          /^encoding: a kept tensor is not the id of an encoding or \{id, \.\.\.parameters\}$/,
        ],
        [attention({ encoding: cache }), 'invalid_argument', /^encoding: a cache is not the id of an encoding/],
        [attention({ encoding: { id: made } }), 'invalid_argument', /^encoding: an object is not the id of an encoding/],
        [attention({ encoding: { id: 'rope', base: made } }), 'invalid_argument', /^base: a prepared encoding is not a number/],
        [attention({ encoding: { id: 'rope', base: kept } }), 'invalid_argument', /^base: an array is not allowed here/],
        [attention({ mask: kept }), 'invalid_argument', /^mask: a kept tensor is not one of none, causal$/],
        [attention({ window: kept }), 'invalid_argument', /^window: a kept tensor is not a number$/],
        [attention({ keyMask: row }), 'invalid_argument', /^keyMask: a kept tensor is not an array of numbers$/],
        [
          attention({ queryPositions: row, keyPositions: row }),
          'invalid_argument',
          /^queryPositions: a kept tensor is not an array of numbers$/,
        ],
        [attention({ want: kept }), 'invalid_argument', /^want: a kept tensor is not a list of weights/],
        [attention({ want: ['map'], map: kept }), 'invalid_argument', /^map: a kept tensor is not an object$/],
        [attention({ kept }), 'unknown_name', /^kept is not a field of attention$/],
        [attention({ handle: kept }), 'unknown_name', /^handle is not a field of attention$/],
        [
          () => phasor.openCache({ heads: 1, width: 2, maxLength: 2, handle: 5 } as never),
          'unknown_name',
          /^handle is not a field of openCache$/,
        ],
        [attention({ q: { shape: row, data: q.data } }), 'invalid_argument', /^q\.shape: a kept tensor is not an array of numbers$/],
        [attention({ q: { shape: q.shape, data: kept } }), 'invalid_argument', /^q\.data: a kept tensor is not an array of numbers$/],
        [() => phasor.attention(kept as never), 'invalid_argument', /^attention: argument 1 is a kept tensor; an object is needed$/],
        [() => phasor.ropeModel(made), 'invalid_argument', /^config: a prepared encoding is not an object$/],
        [
          () => phasor.rotate(q, { encoding: made, positions: row as never }),
          'invalid_argument',
          /^positions: a kept tensor is not an array/,
        ],
        [() => phasor.gaussian({ seed: kept, shape: [1] } as never), 'invalid_argument', /^seed: a kept tensor is not a number$/],
        [() => phasor.gaussian({ seed: 1, shape: row } as never), 'invalid_argument', /^shape: a kept tensor is not an array of numbers$/],
        [
          () => phasor.permutationError({ before: row, after: row, order: row as never }),
          'invalid_argument',
          /^order: a kept tensor is not/,
        ],
        [() => phasor.forkCache({ cache: kept } as never), 'invalid_argument', /^cache: a kept tensor is not a cache$/],
        [() => phasor.similarity({ table: kept }), 'invalid_argument', /^table: its shape is 1 x 2 x 2/],
        [
          () => phasor.similarity({ table: { ...kept } as never }),
          'invalid_argument',
          /^table: an object is not a tensor \{shape, data\}$/,
        ],
        [() => phasor.similarity({ table: cache as never }), 'invalid_argument', /^table: a cache is not a tensor/],
      ]);
      for (const handle of [kept, row, made, cache]) handle.dispose();
    },
  ],
  [
    'disposes of a handle once',
    async (phasor) => {
      const cache = await phasor.openCache({ heads: 1, width: 2, maxLength: 2 });
      const handles = [
        ['kept tensor', await phasor.keep(tensor(2))],
        ['prepared encoding', await phasor.prepare({ encoding: 'rope', length: 2, width: 2 })],
        ['cache', cache],
        ['cache', await phasor.forkCache({ cache })],
      ] as const;
      for (const [name, handle] of handles) {
        check(!handle.disposed, `the ${name} is open`);
        handle.dispose();
        check(handle.disposed, `the ${name} is disposed`);
        await refuses([[() => handle.dispose(), 'invalid_argument', new RegExp(`^dispose: this ${name} is disposed already$`)]]);
        if (typeof Symbol.dispose === 'symbol') handle[Symbol.dispose](); // as the end of a block after it
      }
      if (typeof Symbol.dispose !== 'symbol') return;
      const other: TensorHandle = await phasor.keep(tensor(2));
      other[Symbol.dispose]();
      check(other.disposed, 'the end of a block disposes of it');
    },
  ],
  [
    'takes handles behind proxies, and of frozen requests',
    async (phasor) => {
      const kept = await phasor.keep(tensor(2, 2));
      const expected = await phasor.similarity({ table: kept });
      const watched = new Proxy(kept, {});
      same(await phasor.similarity(Object.freeze({ table: watched })), expected, 'a proxy of a handle');
      same(await phasor.similarity(new Proxy({ table: Object.freeze(kept) }, {})), expected, 'a frozen handle');
      watched.dispose();
      check(kept.disposed, 'its proxy disposes of it');
    },
  ],
  [
    'computes what was asked before a handle is disposed of',
    async (phasor) => {
      const large = await phasor.gaussian({ seed: 1, shape: [4, 600, 32] }); // a pool cuts it
      const kept = await phasor.keep(large);
      const expected = await phasor.attention({ q: large, k: large, v: large, mask: 'causal' });
      const late = [
        phasor.attention({ q: large, k: kept, v: kept, mask: 'causal' }),
        phasor.attention({ q: kept, k: kept, v: kept, mask: 'causal' }),
      ];
      kept.dispose();
      for (const answer of late) same((await answer).output, expected.output, 'attention of kept tensors');
      const error = await failure(() => phasor.attention({ q: large, k: kept, v: kept }));
      check(error.message === 'k: this kept tensor is disposed', error.message);
    },
  ],
];
