// Tensor handles, encoding handles and caches in every engine: which arguments accept them, and how they are disposed.

import { permutationError, similarity } from '../../web/engine/analysis.ts';
import type { TensorHandle } from '../../web/engine/types/api.ts';
import { assertErrors, assertSame, type Contract, catchError, check } from './contract-checks.ts';
import { tensor } from './every-request.ts';

export const handleCases: Contract = [
  [
    'rejects a handle that does not fit the argument',
    async (phasor) => {
      const q = tensor(1, 2, 2);
      const tensorHandle = await phasor.createTensor(q);
      const row = await phasor.createTensor(tensor(2));
      const created = await phasor.createEncoding({ encoding: 'rope', length: 2, dim: 2 });
      const cache = await phasor.createCache({ heads: 1, headDim: 2, maxLength: 2 });
      const attention = (options: object) => () => phasor.attention({ q, k: q, v: q, ...options });
      await assertErrors([
        [attention({ q: created }), 'invalid_argument', /^q: an encoding handle is not a tensor \{shape, data\}$/],
        [attention({ v: cache }), 'invalid_argument', /^v: a cache is not a tensor \{shape, data\}$/],
        [
          attention({ encoding: tensorHandle }),
          'invalid_argument',
          /^encoding: a tensor handle is not the id of an encoding or \{id, \.\.\.parameters\}$/,
        ],
        [attention({ encoding: cache }), 'invalid_argument', /^encoding: a cache is not the id of an encoding/],
        [attention({ encoding: { id: created } }), 'invalid_argument', /^encoding: an object is not the id of an encoding/],
        [attention({ encoding: { id: 'rope', base: created } }), 'invalid_argument', /^base: an encoding handle is not a number/],
        [attention({ encoding: { id: 'rope', base: tensorHandle } }), 'invalid_argument', /^base: is an array; expected a single value/],
        [attention({ mask: tensorHandle }), 'invalid_argument', /^mask: a tensor handle is not one of none, causal$/],
        [attention({ window: tensorHandle }), 'invalid_argument', /^window: a tensor handle is not a number$/],
        [attention({ keyMask: row }), 'invalid_argument', /^keyMask: a tensor handle is not an array of numbers$/],
        [
          attention({ queryPositions: row, keyPositions: row }),
          'invalid_argument',
          /^queryPositions: a tensor handle is not an array of numbers$/,
        ],
        [attention({ outputs: tensorHandle }), 'invalid_argument', /^outputs: a tensor handle is not a list of weights/],
        [
          attention({ outputs: ['pooledWeights'], pooling: tensorHandle }),
          'invalid_argument',
          /^pooling: a tensor handle is not an object$/,
        ],
        [attention({ kept: tensorHandle }), 'unknown_name', /^kept is not a field of attention$/],
        [attention({ handle: tensorHandle }), 'unknown_name', /^handle is not a field of attention$/],
        [
          () => phasor.createCache({ heads: 1, headDim: 2, maxLength: 2, handle: 5 } as never),
          'unknown_name',
          /^handle is not a field of createCache$/,
        ],
        [attention({ q: { shape: row, data: q.data } }), 'invalid_argument', /^q\.shape: a tensor handle is not an array of numbers$/],
        [
          attention({ q: { shape: q.shape, data: tensorHandle } }),
          'invalid_argument',
          /^q\.data: a tensor handle is not an array of numbers$/,
        ],
        [
          () => phasor.attention(tensorHandle as never),
          'invalid_argument',
          /^attention: argument 1 is a tensor handle; expected an object$/,
        ],
        [() => phasor.ropeFromConfig(created), 'invalid_argument', /^config: an encoding handle is not an object$/],
        [
          () => phasor.applyRotary(q, { encoding: created, positions: row as never }),
          'invalid_argument',
          /^positions: a tensor handle is not an array/,
        ],
        [
          () => phasor.randomNormal({ seed: tensorHandle, shape: [1] } as never),
          'invalid_argument',
          /^seed: a tensor handle is not a number$/,
        ],
        [
          () => phasor.randomNormal({ seed: 1, shape: row } as never),
          'invalid_argument',
          /^shape: a tensor handle is not an array of numbers$/,
        ],
        [
          () => permutationError(phasor, { before: row, after: row, order: row as never }),
          'invalid_argument',
          /^order: a tensor handle is not/,
        ],
        [() => similarity(phasor, { table: tensorHandle }), 'invalid_argument', /^table: has shape 1 x 2 x 2/],
        [
          () => similarity(phasor, { table: { ...tensorHandle } as never }),
          'invalid_argument',
          /^table: an object is not a tensor \{shape, data\}$/,
        ],
        [() => similarity(phasor, { table: cache as never }), 'invalid_argument', /^table: a cache is not a tensor/],
      ]);
      for (const handle of [tensorHandle, row, created, cache]) handle.dispose();
    },
  ],
  [
    'disposes of a handle once; a second dispose does nothing',
    async (phasor) => {
      const cache = await phasor.createCache({ heads: 1, headDim: 2, maxLength: 2 });
      const handles = [
        ['tensor handle', await phasor.createTensor(tensor(2))],
        ['encoding handle', await phasor.createEncoding({ encoding: 'rope', length: 2, dim: 2 })],
        ['cache', cache],
        ['cache', await cache.fork()],
      ] as const;
      for (const [name, handle] of handles) {
        check(!handle.disposed, `the ${name} is open`);
        handle.dispose();
        check(handle.disposed, `the ${name} is disposed`);
        handle.dispose();
        if (typeof Symbol.dispose === 'symbol') handle[Symbol.dispose](); // as at the end of a block with `using`
      }
      if (typeof Symbol.dispose !== 'symbol') return;
      const other: TensorHandle = await phasor.createTensor(tensor(2));
      other[Symbol.dispose]();
      check(other.disposed, 'the end of a block disposes of it');
    },
  ],
  [
    'accepts handles behind proxies and in frozen requests',
    async (phasor) => {
      const copy = await phasor.createTensor(tensor(2, 2));
      const expected = await similarity(phasor, { table: copy });
      const proxy = new Proxy(copy, {});
      assertSame(await similarity(phasor, Object.freeze({ table: proxy })), expected, 'a proxy of a handle');
      assertSame(await similarity(phasor, new Proxy({ table: Object.freeze(copy) }, {})), expected, 'a frozen handle');
      proxy.dispose();
      check(copy.disposed, 'its proxy disposes of it');
    },
  ],
  [
    'completes calls made before a handle is disposed',
    async (phasor) => {
      const largeTensor = await phasor.randomNormal({ seed: 1, shape: [4, 600, 32] }); // large enough for a pool to split
      const copy = await phasor.createTensor(largeTensor);
      const expected = await phasor.attention({ q: largeTensor, k: largeTensor, v: largeTensor, mask: 'causal' });
      const pendingCalls = [
        phasor.attention({ q: largeTensor, k: copy, v: copy, mask: 'causal' }),
        phasor.attention({ q: copy, k: copy, v: copy, mask: 'causal' }),
      ];
      copy.dispose();
      for (const result of pendingCalls) assertSame((await result).output, expected.output, 'attention of tensor handles');
      const error = await catchError(() => phasor.attention({ q: largeTensor, k: copy, v: copy }));
      check(error.message === 'k: this tensor handle is disposed', error.message);
    },
  ],
];
