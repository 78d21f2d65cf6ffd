// Request objects in every engine: fields are read as plain data or rejected by name, and open caches survive.

import { type AnyCache, type AnyPhasor, assertErrors, type Contract, catchError, check } from './contract-checks.ts';
import { argumentPath, CALLS, changeField, detach, invoke, outOfBounds, paths, tensor } from './every-request.ts';

const text = (letter: string) => `before${letter}`;
const HALF = '\ud83d'; // a lone surrogate, as from a truncated text

/** Runs with an open cache, and checks that it is still open afterwards. */
async function withCache(phasor: AnyPhasor, run: (cache: AnyCache) => Promise<void>): Promise<void> {
  const cache = await phasor.createCache({ heads: 1, headDim: 2, maxLength: 100 });
  await run(cache);
  const smallTensor = tensor(1, 1, 2);
  check((await cache.decode({ q: smallTensor, k: smallTensor, v: smallTensor })).length > 0, 'the cache is still open');
  cache.dispose();
}

export const requestCases: Contract = [
  [
    'accepts every request that the other cases modify',
    (phasor) =>
      withCache(phasor, async (cache) => {
        for (const call of CALLS) {
          check(typeof (await invoke(phasor, call, cache)) === 'object', `${call[0]} is answered`);
        }
      }),
  ],
  [
    'accepts lone surrogates, null characters and dots in field names and values',
    async (phasor) => {
      const model = { model_type: 'llama', hidden_size: 64, num_attention_heads: 4, rope_theta: 5e5 };
      for (const name of [HALF, '\udca9', '\0', '💩', 'n\0rope_theta\0', `${HALF}\0`, '.', '\\.']) {
        for (const config of [
          { _name_or_path: text(name), ...model },
          { [text(name)]: 1, ...model },
          { list: [text(name)], ...model },
          { below: { [name]: name }, ...model },
        ]) {
          const { base } = await phasor.ropeFromConfig(config);
          check(base === 5e5, `${JSON.stringify(config)}: the base is ${base}`);
        }
      }
      const q = tensor(1, 1, 2);
      const rejected = await catchError(() => phasor.attention({ q, k: q, v: q, encoding: text(HALF), keyMask: [2 as never] }));
      check(rejected.code === 'invalid_argument' && rejected.message.startsWith('keyMask[0]: 2'), rejected.message);
      const unknownEncodingError = await catchError(() => phasor.attention({ q, k: q, v: q, encoding: text(HALF), keyMask: [0] }));
      check(unknownEncodingError.message.startsWith('encoding: "before\ufffd" is unknown'), unknownEncodingError.message);
    },
  ],
  [
    'rejects an array with a detached buffer, by the name of its field',
    (phasor) =>
      withCache(phasor, async (cache) => {
        for (const call of CALLS) {
          for (const path of paths(call.slice(1), ArrayBuffer.isView)) {
            const name = argumentPath(call, path);
            for (const array of [detach(new Float32Array(2)), detach(new Float64Array(0)), outOfBounds()]) {
              const error = await catchError(() => invoke(phasor, changeField(call, path, { value: array, enumerable: true }), cache));
              check(
                error.name === 'PhasorError' && error.code === 'invalid_argument' && error.message.startsWith(`${name}: has a`),
                `${call[0]}, ${name}: ${error.code} ${error.message}`,
              );
            }
          }
        }
        const largeTensor = tensor(4, 600, 32); // large enough for a pool to split
        const ownFields: Record<string, unknown> = { q: largeTensor, k: largeTensor, v: largeTensor };
        for (let i = 0; i < 10; i++) ownFields[`key${i}`] = ownFields;
        await assertErrors([
          [
            () => phasor.attention({ q: largeTensor, k: largeTensor, v: largeTensor, keyMask: detach(new Uint8Array(600)) }),
            'invalid_argument',
            /^keyMask: has a detached/,
          ],
          [
            () => phasor.attention({ q: largeTensor, k: largeTensor, v: { shape: largeTensor.shape, data: detach(new Float32Array(9)) } }),
            'invalid_argument',
            /^v\.data: has a detached/,
          ],
          [() => phasor.attention(ownFields as never), 'invalid_argument', /the request has more than 100000 fields/],
        ]);
      }),
  ],
  [
    'rejects a field that cannot be read, by name',
    (phasor) =>
      withCache(phasor, async (cache) => {
        for (const call of CALLS) {
          for (const path of paths(call.slice(1), () => true).filter(({ length }) => length > 1)) {
            const name = argumentPath(call, path);
            if (/\.\d+$/.test(name)) continue; // an element of a list
            const getter = () => {
              throw new RangeError('not today');
            };
            const error = await catchError(() => invoke(phasor, changeField(call, path, { get: getter, enumerable: true }), cache));
            check(
              error.name === 'PhasorError' && error.code === 'invalid_argument' && error.message === `${name}: cannot be read (not today)`,
              `${call[0]}, ${name}: ${error.code} ${error.message}`,
            );
          }
        }
      }),
  ],
  [
    'leaves input arrays with the caller',
    async (phasor) => {
      const custom = tensor(2, 2);
      const sum = await phasor.combine({ x: custom, table: custom });
      check(custom.data.length === 4 && sum.data[0] === 1, 'arrays stay with their caller');
    },
  ],
  [
    'accepts proxies, frozen objects and shared memory, and rejects class instances by name',
    async (phasor) => {
      // As in reactive stores, every nested object and list is a proxy too.
      const proxyOf = <T extends object>(value: T): T =>
        new Proxy(value, {
          get(target, name) {
            const field = Reflect.get(target, name) as unknown;
            return typeof field === 'object' && field !== null && !ArrayBuffer.isView(field) ? proxyOf(field) : field;
          },
        });
      class Matrix {
        readonly shape = [2, 2];
        readonly data = new Float32Array(4);
      }
      const plainRequest = { x: tensor(2, 2), table: tensor(2, 2), mode: 'concatenate' as const };
      for (const request of [
        proxyOf(plainRequest),
        Object.freeze({ ...plainRequest }),
        Object.assign(Object.create(null), plainRequest) as typeof plainRequest,
      ]) {
        check((await phasor.combine(request)).shape.join() === '2,4', 'the two tables are concatenated');
      }
      const options = Object.assign(new (class Options {})(), plainRequest);
      await assertErrors([
        [
          () => phasor.combine({ ...plainRequest, x: new Matrix() }),
          'invalid_argument',
          /^x: an instance of .+ is not a tensor \{shape, data\}$/,
        ],
        [() => phasor.combine(options), 'invalid_argument', /^combine: argument 1 is an instance of .+; expected an object$/],
      ]);
      const q = proxyOf({ shape: [4, 600, 32], data: new Float32Array(4 * 600 * 32) });
      check((await phasor.attention(proxyOf({ q, k: q, v: q }))).output.shape.join() === '4,600,32', 'a large request');

      if (typeof SharedArrayBuffer === 'undefined') return;
      const data = new Float32Array(new SharedArrayBuffer(16));
      data.set([1, 2, 3, 4]);
      const shared = await phasor.combine({ x: { shape: [2, 2], data }, table: plainRequest.table });
      check(shared.data.join() === '1.5,2.5,3.5,4.5', `shared memory: ${shared.data.join()}`);
    },
  ],
];
