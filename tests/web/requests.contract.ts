// What every engine makes of the objects it is given, whatever they are: each field is read once, as plain data, or refused by its name,
// and nothing that was open before is lost.

import type { Phasor, Tensor } from '../../web/engine/types.ts';
import { type AnyPhasor, type Contract, check, failure, refuses } from './contract-checks.ts';

type Call = readonly [method: string, ...args: Record<string, unknown>[]];

const tensor = (...shape: number[]): Tensor => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)).fill(0.5) });
const text = (letter: string) => `before${letter}`;
const HALF = '\ud83d'; // the first half of an emoji, as cutting a text leaves it

/** A request of every method that takes arrays, with everything it may take, and what it is answered with. */
const calls = (cache: number): Call[] => [
  ['table', { encoding: 'learned', positions: new Float64Array([0, 1]), width: 4, table: tensor(2, 4) }],
  ['angles', { encoding: 'rope', positions: { shape: [2, 1], data: new Float64Array([0, 1]) }, width: 4 }],
  ['bias', { encoding: 'alibi', heads: 1, queryPositions: new Int32Array([1]), keyPositions: new Float32Array([2]) }],
  ['rotate', tensor(1, 2, 4) as never, { encoding: 'rope', positions: new Uint8Array([0, 1]) }],
  ['rotationMatrix', { encoding: 'rope', position: new Float64Array([1]), width: 4 }],
  [
    'ropeModel',
    {
      rope_scaling: {
        type: 'longrope',
        factor: 2,
        original_max_position_embeddings: 8,
        short_factor: new Float32Array(2).fill(1),
        long_factor: [1, 1],
      },
    },
  ],
  ['combine', { x: tensor(2, 2), table: tensor(2, 2), how: 'add' }],
  ['positionIds', { visible: new Uint8Array([1, 0]), how: 'opt' }],
  ['attention', { q: tensor(1, 2, 2), k: tensor(1, 2, 2), v: tensor(1, 2, 2), keyMask: new Uint8Array([1, 0]), map: { size: 2 } }],
  ['attentionGradient', { q: tensor(1, 2, 2), k: tensor(1, 2, 2), v: tensor(1, 2, 2), dOutput: tensor(1, 2, 2) }],
  ['layer', { x: tensor(2, 2), heads: 1, encoding: { id: 't5', table: tensor(32, 1) } }],
  ['layerGradient', { x: tensor(2, 2), heads: 1, dOutput: tensor(2, 2) }],
  ['decode', { cache, q: tensor(1, 1, 2), k: tensor(1, 1, 2), v: tensor(1, 1, 2) }],
  ['similarity', { table: tensor(2, 2) }],
  ['distanceProfile', { matrix: tensor(2, 2) }],
  ['tableFacts', { table: tensor(2, 2) }],
  ['spectrum', { table: tensor(4, 2) }],
  ['principalComponents', { table: tensor(4, 2), components: 1 }],
  ['decodability', { table: tensor(8, 2) }],
  ['shiftMatrix', { frequencies: new Float64Array([1]), k: 1 }],
  ['shiftResidual', { table: tensor(2, 2), shift: tensor(2, 2), k: 1 }],
  ['rotationResidual', { encoding: 'rope', q: tensor(1, 2), k: tensor(1, 2), positions: new Float64Array([0, 1]) }],
  ['permutationError', { before: tensor(2, 2), after: tensor(2, 2), order: new Int32Array([1, 0]) }],
  ['reorder', { x: tensor(2, 2), heads: 1, order: new Int32Array([1, 0]) }],
];

const ask = (phasor: AnyPhasor, [method, ...args]: Call) =>
  (phasor[method as keyof Phasor] as unknown as (...args: unknown[]) => unknown)(...args);

/** The paths of the fields of a call, as sentences name them. */
function paths(value: unknown, wanted: (field: unknown) => boolean, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const here = [...path, name];
    return [...(wanted(field) ? [here] : []), ...paths(field, wanted, here)];
  });
}

/** A copy with another field at a path. */
function put(value: object, [name = '', ...rest]: readonly string[], field: PropertyDescriptor): object {
  const inner = rest.length > 0 ? { value: put(value[name as never] as object, rest, field), enumerable: true } : field;
  return Object.defineProperty(Array.isArray(value) ? [...value] : { ...value }, name, inner);
}

/** The path begins with the number of the argument. */
const changed = ([method, ...args]: Call, path: readonly string[], field: PropertyDescriptor): Call => [
  method,
  ...(put(args, path, field) as Record<string, unknown>[]),
];

/** What a sentence calls a field: `rotate(x, request)` and `ropeModel(config, request)` have a name for their first argument. */
function named([method, ...args]: Call, [argument, ...rest]: readonly string[]): string {
  const first = method === 'rotate' ? 'x' : method === 'ropeModel' ? 'config' : '';
  return [...(argument === '0' && (args.length > 1 || method === 'ropeModel') ? [first] : []), ...rest].join('.');
}

function detached<T extends ArrayBufferView>(array: T): T {
  structuredClone(array, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

/** A view on the second half of a buffer that has shrunk to its first half since. */
function outOfBounds(): Float32Array {
  const buffer = new (ArrayBuffer as unknown as new (bytes: number, most: object) => ArrayBuffer)(16, { maxByteLength: 16 });
  const view = new Float32Array(buffer, 8, 2);
  (buffer as unknown as { resize(bytes: number): void }).resize(8);
  return view;
}

const isArray = (field: unknown) => ArrayBuffer.isView(field);

/** Runs with a cache that is open, and sees that it still is. */
async function withCache(phasor: AnyPhasor, run: (cache: number) => Promise<void>): Promise<void> {
  const { cache } = await phasor.openCache({ heads: 1, width: 2, maxLength: 100 });
  await run(cache);
  const one = tensor(1, 1, 2);
  check((await phasor.decode({ cache, q: one, k: one, v: one })).length > 0, 'the cache is still open');
  await phasor.closeCache({ cache });
}

export const requestCases: Contract = [
  [
    'understands the requests that these cases change',
    (phasor) =>
      withCache(phasor, async (cache) => {
        for (const call of calls(cache)) {
          check(typeof (await ask(phasor, call)) === 'object', `${call[0]} is answered`);
        }
      }),
  ],
  [
    'loses no field to half an emoji, a zero or a dot in a text or a name',
    async (phasor) => {
      const model = { hidden_size: 64, num_attention_heads: 4, rope_theta: 5e5 };
      for (const odd of [HALF, '\udca9', '\0', '💩', 'n\0rope_theta\0', `${HALF}\0`, '.', '\\.']) {
        for (const config of [
          { _name_or_path: text(odd), ...model },
          { [text(odd)]: 1, ...model },
          { list: [text(odd)], ...model },
          { below: { [odd]: odd }, ...model },
        ]) {
          const { base } = await phasor.ropeModel(config);
          check(base === 5e5, `${JSON.stringify(config)}: the base is ${base}`);
        }
      }
      const q = tensor(1, 1, 2);
      const refused = await failure(() => phasor.attention({ q, k: q, v: q, encoding: text(HALF), keyMask: [2 as never] }));
      check(refused.code === 'invalid_argument' && refused.message.startsWith('keyMask[0]: 2'), refused.message);
      const unknown = await failure(() => phasor.attention({ q, k: q, v: q, encoding: text(HALF), keyMask: [0] }));
      check(unknown.message.startsWith('encoding: "before\ufffd" is unknown'), unknown.message);
    },
  ],
  [
    'refuses an array whose memory is gone, by the name of its field',
    (phasor) =>
      withCache(phasor, async (cache) => {
        for (const call of calls(cache)) {
          for (const path of paths(call.slice(1), isArray)) {
            const name = named(call, path);
            for (const array of [detached(new Float32Array(2)), detached(new Float64Array(0)), outOfBounds()]) {
              const error = await failure(() => ask(phasor, changed(call, path, { value: array, enumerable: true })));
              check(
                error.name === 'PhasorError' && error.code === 'invalid_argument' && error.message.startsWith(`${name}: its buffer`),
                `${call[0]}, ${name}: ${error.code} ${error.message}`,
              );
            }
          }
        }
        const large = tensor(4, 600, 32); // a pool cuts it
        await refuses([
          [
            () => phasor.attention({ q: large, k: large, v: large, keyMask: detached(new Uint8Array(600)) }),
            'invalid_argument',
            /^keyMask: its buffer is detached/,
          ],
          [
            () => phasor.attention({ q: large, k: large, v: { shape: large.shape, data: detached(new Float32Array(9)) } }),
            'invalid_argument',
            /^v\.data: its buffer is detached/,
          ],
        ]);
      }),
  ],
  [
    'refuses a field that cannot be read, by its name',
    (phasor) =>
      withCache(phasor, async (cache) => {
        for (const call of calls(cache)) {
          for (const path of paths(call.slice(1), () => true).filter(({ length }) => length > 1)) {
            const name = named(call, path);
            if (/\.\d+$/.test(name)) continue; // a number of a list
            const get = () => {
              throw new RangeError('not today');
            };
            const error = await failure(() => ask(phasor, changed(call, path, { get, enumerable: true })));
            check(
              error.name === 'PhasorError' &&
                error.code === 'invalid_argument' &&
                error.message === `${name}: it cannot be read (not today)`,
              `${call[0]}, ${name}: ${error.code} ${error.message}`,
            );
          }
        }
        const q = tensor(1, 2, 2);
        const rude = [
          new Proxy({}, { ownKeys: () => [][0] as never }),
          new Proxy([1, 2], { get: (list, name) => (name === '1' ? (() => [][0] as never as { x: 1 })().x : Reflect.get(list, name)) }),
          {
            get shape(): number[] {
              throw Object.create(null); // has no text either
            },
            data: q.data,
          },
        ];
        for (const value of rude) {
          const error = await failure(() => phasor.attention({ q, k: q, v: value as never }));
          check(
            error.name === 'PhasorError' && error.code === 'invalid_argument' && /^v(\.shape)?: it cannot be read/.test(error.message),
            error.message,
          );
          const whole = await failure(() => phasor.attention(new Proxy({}, { ownKeys: () => [][0] as never }) as never));
          check(whole.name === 'PhasorError' && whole.code === 'invalid_argument', whole.message);
        }
      }),
  ],
  [
    'refuses arrays that change while they are read, and keeps what it was given',
    (phasor) =>
      withCache(phasor, async () => {
        const x = tensor(2, 2);
        const rude = {
          x,
          get table() {
            detached(x.data);
            return tensor(2, 2);
          },
        };
        await refuses([[() => phasor.combine(rude), 'invalid_argument', /^x\.data: it has changed while the request was read/]]);
        const buffer = new (ArrayBuffer as unknown as new (bytes: number, most: object) => ArrayBuffer)(16, { maxByteLength: 64 });
        const growing = { shape: [2, 2], data: new Float32Array(buffer) };
        const ruder = {
          x: growing,
          get table() {
            (buffer as unknown as { resize(bytes: number): void }).resize(64);
            return tensor(2, 2);
          },
        };
        await refuses([[() => phasor.combine(ruder), 'invalid_argument', /^x\.data: it has changed while the request was read/]]);
        const mine = tensor(2, 2);
        const sum = await phasor.combine({ x: mine, table: mine });
        check(mine.data.length === 4 && sum.data[0] === 1, 'arrays stay with their caller');
        let reads = 0;
        const list = new Proxy([1, 0], {
          get(numbers, name) {
            if (name === 'length') reads += 1;
            return name === 'length' && reads > 1 ? 1000 : Reflect.get(numbers, name);
          },
        });
        const ids = await phasor.positionIds({ visible: list as never, how: 'opt' });
        check(ids.data.join() === '0,-1', `a list is measured once: ${ids.data.join()}`);
      }),
  ],
  [
    'reads proxies, frozen objects, classes and shared memory as what they show',
    async (phasor) => {
      // As the stores of user interfaces make them: every object and list inside is a proxy too.
      const watch = <T extends object>(value: T): T =>
        new Proxy(value, {
          get(target, name) {
            const field = Reflect.get(target, name) as unknown;
            return typeof field === 'object' && field !== null && !ArrayBuffer.isView(field) ? watch(field) : field;
          },
        });
      class Matrix {
        readonly #numbers = new Float32Array([1, 2, 3, 4]);
        get shape() {
          return [2, 2];
        }
        get data() {
          return this.#numbers;
        }
        get rank() {
          return 2;
        }
      }
      class Options {
        readonly #how = 'concatenate' as const;
        get how() {
          return this.#how;
        }
      }
      const plain = { x: tensor(2, 2), table: tensor(2, 2), how: 'concatenate' as const };
      const inherited = Object.assign(Object.create({ how: 'concatenate' }), { x: plain.x, table: plain.table }) as typeof plain;
      const accessors = Object.assign(new Options(), { x: plain.x, table: plain.table });
      for (const request of [watch(plain), Object.freeze({ ...plain }), { ...plain, x: new Matrix() }, inherited, accessors]) {
        check((await phasor.combine(request)).shape.join() === '2,4', 'the two tables stand side by side');
      }
      check((await phasor.combine({ ...plain, x: new Matrix() })).data.join() === '1,2,0.5,0.5,3,4,0.5,0.5', 'a tensor of a class');
      const q = watch({ shape: [4, 600, 32], data: new Float32Array(4 * 600 * 32) });
      check((await phasor.attention(watch({ q, k: q, v: q }))).output.shape.join() === '4,600,32', 'a large request');

      if (typeof SharedArrayBuffer === 'undefined') return;
      const data = new Float32Array(new SharedArrayBuffer(16));
      data.set([1, 2, 3, 4]);
      const shared = await phasor.combine({ x: { shape: [2, 2], data }, table: plain.table });
      check(shared.data.join() === '1.5,2.5,3.5,4.5', `shared memory: ${shared.data.join()}`);
    },
  ],
  [
    'refuses every field that it does not know, and says which one may have been meant',
    async (phasor) => {
      const q = tensor(1, 2, 2);
      const x = tensor(2, 2);
      const large = tensor(4, 600, 32);
      const attention = (more: object) => () => phasor.attention({ q, k: q, v: q, ...more });
      const unknown = (path: string, method: string, meant?: string) =>
        new RegExp(`^${path} is not a field of ${method}${meant ? `; did you mean ${meant}\\?` : ''}$`);
      await refuses([
        [attention({ maks: 'causal' }), 'unknown_name', unknown('maks', 'attention', 'mask')],
        [
          () => phasor.attention({ q: large, k: large, v: large, maks: 'causal' } as never),
          'unknown_name',
          unknown('maks', 'attention', 'mask'),
        ],
        [attention({ key_mask: [1, 1] }), 'unknown_name', unknown('key_mask', 'attention', 'keyMask')],
        [attention({ picture: true }), 'unknown_name', unknown('picture', 'attention')],
        [attention({ map: { szie: 2 }, want: ['map'] }), 'unknown_name', unknown('map\\.szie', 'attention', 'map\\.size')],
        [attention({ q: { shpae: [1, 2, 2], data: q.data } }), 'unknown_name', unknown('q\\.shpae', 'attention', 'q\\.shape')],
        [attention({ q: { ...q, strides: [1] } }), 'unknown_name', unknown('q\\.strides', 'attention')],
        [
          attention({ encoding: { id: 't5', table: { ...tensor(32, 1), rows: 3 } } }),
          'unknown_name',
          unknown('encoding\\.table\\.rows', 'attention'),
        ],
        [attention({ encoding: { id: 'rope', bass: 3 } }), 'unknown_name', /^bass: rope has no such parameter/],
        [() => phasor.layer({ x, haeds: 1 } as never), 'unknown_name', unknown('haeds', 'layer', 'heads')],
        [() => phasor.layer({ x, heads: 1, keyMask: [1, 1] } as never), 'unknown_name', unknown('keyMask', 'layer')],
        [() => phasor.layer({ x, heads: 1, map: {} } as never), 'unknown_name', unknown('map', 'layer')],
        [() => phasor.reorder({ x, heads: 1, order: [0, 1], sead: 1 } as never), 'unknown_name', unknown('sead', 'reorder', 'seed')],
        [
          () => phasor.attentionGradient({ q, k: q, v: q, dOutput: q, want: ['weights'] } as never),
          'unknown_name',
          unknown('want', 'attentionGradient'),
        ],
        [
          () => phasor.attentionGradient({ q, k: q, v: q, dOutput: q, map: {} } as never),
          'unknown_name',
          unknown('map', 'attentionGradient'),
        ],
        [() => phasor.layerGradient({ x, heads: 1, dOutput: x, head: 0 } as never), 'unknown_name', unknown('head', 'layerGradient')],
        [() => phasor.gaussian({ seed: 1, shape: [1], mean: 0 } as never), 'unknown_name', unknown('mean', 'gaussian')],
        [() => phasor.similarity({ table: x, Measure: 'dot' } as never), 'unknown_name', unknown('Measure', 'similarity', 'measure')],
        [
          () => phasor.openCache({ heads: 1, width: 2, maxLength: 2, mask: 'causal' } as never),
          'unknown_name',
          unknown('mask', 'openCache'),
        ],
        [() => phasor.closeCache({ cache: 0, all: true } as never), 'invalid_argument', /^cache: 0 is not open/],
        [
          () => phasor.ropeModel({ rope_theta: 1 }, { sequence_length: 3 } as never),
          'unknown_name',
          unknown('sequence_length', 'ropeModel', 'sequenceLength'),
        ],
        [
          () => phasor.ropeFrequencies({ encoding: 'rope', width: 4, base: 3 } as never),
          'unknown_name',
          unknown('base', 'ropeFrequencies'),
        ],
        [
          () => phasor.table({ encoding: 'sinusoidal', length: 1, width: 4, positions: [1] }),
          'invalid_argument',
          /^length: it is given beside positions/,
        ],
        [
          () => phasor.table({ encoding: 'sinusoidal', offset: 1, width: 4, positions: [1] }),
          'invalid_argument',
          /^offset: it is given beside positions/,
        ],
        [() => phasor.rotate(q, { encoding: 'rope', x: q }), 'invalid_argument', /^x: it is given twice/],
      ]);
      check('output' in (await attention({ mask: undefined, map: null, maks: undefined })()), 'what is undefined or null is left out');
    },
  ],
  [
    'never takes a name with a dot for a path',
    async (phasor) => {
      const q = tensor(1, 2, 2);
      await refuses([
        [
          () => phasor.attention({ 'q.shape': q.shape, 'q.data': q.data, k: q, v: q } as never),
          'invalid_argument',
          /^q: undefined is not a tensor/,
        ],
        [
          () => phasor.attention({ q, k: q, v: q, map: {}, 'map.size': 2 } as never),
          'unknown_name',
          /^map\\\.size is not a field of attention/,
        ],
        [() => phasor.attention({ q, k: q, v: q, 'encoding.id': 'rope' } as never), 'unknown_name', /^encoding\\\.id is not a field/],
      ]);
      const dotted = { 'rope_scaling.type': 'linear', 'rope_scaling.factor': 2, rope_theta: 7, hidden_size: 8, num_attention_heads: 1 };
      const { base, scaling } = await phasor.ropeModel(dotted);
      check(base === 7 && scaling !== 'linear', 'a key of a file with a dot is only a key');
    },
  ],
  [
    'takes words, flags and numbers each as what they are',
    async (phasor) => {
      const q = tensor(1, 3, 2);
      const attention = (more: object) => () => phasor.attention({ q, k: q, v: q, ...more });
      const visible = (list: unknown) => () => phasor.positionIds({ visible: list as never });
      const words = /is not a list of weights, scores, bias, map$/;
      await refuses([
        [attention({ want: ['weights,scores'] }), 'invalid_argument', words],
        [attention({ want: ['weights', 'picture'] }), 'invalid_argument', /^want: weights, picture is not a list of/],
        [attention({ want: 'weights' }), 'invalid_argument', words],
        [attention({ want: ['weights', 1] }), 'invalid_argument', words],
        [attention({ want: [['weights']] }), 'invalid_argument', words],
        [attention({ keyMask: [0, 1, Number.NaN] }), 'invalid_argument', /^keyMask\[2\]: NaN is not 0, 1, true or false$/],
        [
          attention({ keyMask: new Float32Array([0, 0, -1e9]) }),
          'invalid_argument',
          /^keyMask\[2\]: -1000000000 is not 0, 1, true or false$/,
        ],
        [attention({ keyMask: [0.5, 1, 1] }), 'invalid_argument', /^keyMask\[0\]: 0.5 is not 0, 1/],
        [attention({ keyMask: ['1', '1', '1'] }), 'invalid_argument', /^keyMask: .* is not an array of numbers/],
        [visible([1, 2]), 'invalid_argument', /^visible\[1\]: 2 is not 0, 1, true or false$/],
        [visible([Number.NaN]), 'invalid_argument', /^visible\[0\]: NaN is not 0, 1/],
        [() => phasor.gaussian({ seed: 1, shape: [true] as never }), 'invalid_argument', /^shape: .* is not an array of numbers$/],
        [() => phasor.similarity({ table: Promise.resolve(q) as never }), 'invalid_argument', /^table: \[object Promise\] is not a tensor/],
        [attention({ map: new Map([['size', 2]]), want: ['map'] }), 'invalid_argument', /^map: \[object Map\] is not an object/],
        [() => phasor.gaussian({ seed: 1n as never, shape: [1] }), 'invalid_argument', /^seed: 1n is not a number/],
        [() => phasor.gaussian({ seed: Symbol('one') as never, shape: [1] }), 'invalid_argument', /^seed: Symbol\(one\) is not a number/],
        [() => phasor.table((() => 2) as never), 'invalid_argument', /^table: argument 1 is \(\) => 2; an object is needed/],
        [() => phasor.gaussian({ seed: (() => 2) as never, shape: [1] }), 'invalid_argument', /^seed: \(\) => 2 is not a number/],
        [() => phasor.table([] as never), 'invalid_argument', /^table: argument 1 is a list; an object is needed/],
        [
          () => phasor.gaussian(Promise.resolve() as never),
          'invalid_argument',
          /^gaussian: argument 1 is \[object Promise\]; an object is needed/,
        ],
        [() => phasor.rotate(q, undefined as never), 'invalid_argument', /^encoding: undefined is not the id/],
        [() => phasor.rotate(undefined as never, { encoding: 'rope' }), 'invalid_argument', /^x: undefined is not a tensor/],
        [() => (phasor.gaussian as (...args: unknown[]) => unknown)({ seed: 1, shape: [1] }, 5), 'invalid_argument', /^gaussian: .*5/],
      ]);
      const each = [[1, 0, 1], [true, false, true], [1, false, true], new Uint8Array([1, 0, 1]), new Float64Array([1, 0, 1])];
      const answers = await Promise.all(
        each.map((keyMask) => phasor.attention({ q, k: q, v: q, keyMask: keyMask as never, want: ['weights'] })),
      );
      for (const { weights } of answers) check(weights?.data[1] === 0 && weights.data[0] === 0.5, 'the key in the middle is hidden');
    },
  ],
];
