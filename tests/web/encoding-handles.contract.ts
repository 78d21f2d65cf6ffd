// Encoding handles in every engine: results equal those of the configuration bitwise, and other sizes are rejected.

import { rotationMatrix, shiftMatrix } from '../../web/engine/analysis.ts';
import type { CreateEncodingRequest } from '../../web/engine/types/api.ts';
import { type AnyPhasor, assertErrors, assertSame, type Contract, catchError, check, randomTensor } from './contract-checks.ts';
import { tensor } from './every-request.ts';

const stringify = (value: unknown) => JSON.stringify(value, (_, part) => (part instanceof Float32Array ? [...part] : part));

/** Calls with two heads of 8 channels and 6 positions. */
function createCalls(phasor: AnyPhasor, x: { shape: readonly number[]; data: Float32Array }) {
  return {
    table: (encoding) => phasor.positionTable({ encoding, positions: [0, 5, 3], dim: 8 }),
    angles: (encoding) => phasor.rotaryAngles({ encoding, length: 6, dim: 8 }),
    bias: (encoding) => phasor.attentionBias({ encoding, heads: 2, queries: 6, keys: 6, headDim: 8 }),
    rotate: (encoding) => phasor.applyRotary(x, { encoding, role: 'key' }),
    rotationMatrix: (encoding) => rotationMatrix(phasor, { encoding, position: 3, dim: 8 }),
    ropeFrequencies: (encoding) => phasor.ropeFrequencies({ encoding, dim: 8 }),
    attention: (encoding) => phasor.attention({ q: x, k: x, v: x, encoding, mask: 'causal', outputs: ['weights', 'bias'] }),
    attentionGradient: (encoding) => phasor.attentionBackward({ q: x, k: x, v: x, encoding, dOutput: x }),
    openCache: async (encoding) => {
      const cache = await phasor.createCache({ heads: 2, headDim: 8, maxLength: 6, encoding });
      const { output } = await cache.decode({ q: x, k: x, v: x });
      cache.dispose();
      return output;
    },
  } satisfies Record<string, (encoding: never) => unknown> as unknown as Record<string, (encoding: unknown) => unknown>;
}

const sizes = { length: 6, dim: 8, heads: 2 };

export const encodingHandleCases: Contract = [
  [
    'gives bitwise equal results from an encoding handle',
    async (phasor) => {
      const x = await randomTensor(phasor, 1, [2, 6, 8]);
      const calls = createCalls(phasor, x);
      const methods: Record<string, string[]> = {};
      for (const { id, axes } of phasor.encodings) {
        if (axes !== 1) continue;
        const handle = await phasor.createEncoding({ encoding: id, ...sizes });
        check(handle.kind === 'encoding' && handle.id === id, `it is ${stringify(handle)}`);
        for (const [method, call] of Object.entries(calls)) {
          // The handle determines the length.
          if (method === 'table' && id === 'normalised_index') continue;
          const expected = await (async () => stringify(await call(id)))().catch((error: Error) => error.message);
          const alone = await phasor.createEncoding({ encoding: id, length: 6, dim: 8 });
          const actual = async () => stringify(await call(method === 'rotationMatrix' ? alone : handle));
          for (let i = 0; i < 2; i++) {
            const result = await actual().catch((error: Error) => error.message);
            check(result === expected, `${method} of ${id}: ${result.slice(0, 300)} instead of ${expected.slice(0, 300)}`);
          }
          alone.dispose();
          if (expected.startsWith('{')) methods[method] = [...(methods[method] ?? []), id];
        }
        handle.dispose();
      }
      for (const method of Object.keys(calls)) check((methods[method] ?? []).length > 0, `${method} is answered`);
      check((methods.attention ?? []).length > 12, `attention: ${methods.attention}`);
    },
  ],
  [
    'reads the rows of a table from an encoding handle',
    async (phasor) => {
      const table = await randomTensor(phasor, 2, [64, 12]);
      const handle = await phasor.createTensor(table);
      const encoding = await phasor.createEncoding({ encoding: { id: 'learned', table: handle }, length: 64, dim: 12 });
      handle.dispose(); // the encoding stays valid
      for (const at of [0, 63, 17]) {
        const row = await phasor.positionTable({ encoding, positions: [at] });
        assertSame(row, { shape: [1, 12], data: table.data.slice(at * 12, at * 12 + 12) }, `row ${at}`);
      }
      const normal = await phasor.createEncoding({ encoding: 'normalised_index', length: 5, dim: 4 });
      const whole = await phasor.positionTable({ encoding: 'normalised_index', length: 5, dim: 4 });
      const lastRow = await phasor.positionTable({ encoding: normal, positions: [4] });
      assertSame(lastRow, { shape: [1, 4], data: whole.data.slice(16, 20) }, 'the last of five');
      const q = tensor(1, 2, 12);
      await assertErrors([
        [() => phasor.positionTable({ encoding, positions: [64] }), 'invalid_argument', /^positions\[0\]: 64 is outside 0 to 63$/],
        [
          () => phasor.positionTable({ encoding, length: 65 }),
          'invalid_argument',
          /^encoding: learned was created for positions: at most 64, but the call has 65$/,
        ],
        [
          () => phasor.positionTable({ encoding, positions: [1], dim: 11 }),
          'invalid_argument',
          /^encoding: learned was created for channels: 12, but the call has 11$/,
        ],
        [() => phasor.positionTable({ encoding, positions: [] }), 'invalid_argument', /^length: 0 is outside/],
        [() => phasor.applyRotary(q, { encoding }), 'invalid_argument', /^encoding: learned has no rotation/],
        [() => phasor.attention({ q, k: q, v: q, encoding }), 'invalid_argument', /^encoding: learned is added to the embeddings/],
      ]);
      encoding.dispose();
      normal.dispose();
    },
  ],
  [
    'uses the sizes and the scale of an encoding handle',
    async (phasor) => {
      const x = await randomTensor(phasor, 3, [2, 6, 8]);
      const kv = tensor(1, 6, 8);
      const rope = await phasor.createEncoding({ encoding: 'rope', ...sizes, kvHeads: 1, scale: 0.5 });
      const alibi = await phasor.createEncoding({ encoding: 'alibi', ...sizes });
      const { output } = await phasor.attention({ q: x, k: kv, v: kv, encoding: rope });
      assertSame((await phasor.attention({ q: x, k: kv, v: kv, encoding: 'rope', scale: 0.5 })).output, output, 'its scale');
      assertSame((await phasor.attention({ q: x, k: kv, v: kv, encoding: rope, scale: 0.5 })).output, output, 'the same scale');
      assertSame(
        await phasor.attentionBias({ encoding: alibi, queries: 2, keys: 6 }),
        await phasor.attentionBias({ encoding: 'alibi', heads: 2, queries: 2, keys: 6 }),
        'its heads',
      );
      const y = tensor(2, 3, 8);
      assertSame(
        (await phasor.attention({ q: y, k: y, v: y, encoding: alibi })).output,
        (await phasor.attention({ q: y, k: y, v: y, encoding: 'alibi' })).output,
        'fewer positions',
      );
      const attention = (q: object, k: object, options = {}) => phasor.attention({ q, k, v: k, encoding: rope, ...options } as never);
      await assertErrors([
        [() => attention(x, x), 'invalid_argument', /^encoding: rope was created for heads of keys: 1, but the call has 2$/],
        [() => attention(kv, kv), 'invalid_argument', /^encoding: rope was created for heads: 2, but the call has 1$/],
        [
          () => attention(tensor(2, 6, 4), tensor(1, 6, 4)),
          'invalid_argument',
          /^encoding: rope was created for channels of a head: 8, but the call has 4$/,
        ],
        [
          () => attention(tensor(2, 7, 8), tensor(1, 7, 8)),
          'invalid_argument',
          /^encoding: rope was created for keys: at most 6, but the call has 7$/,
        ],
        [() => attention(x, kv, { scale: 1 }), 'invalid_argument', /^scale: rope was created with a different scale$/],
        [
          () => phasor.attentionBias({ encoding: alibi, heads: 3, queries: 2, keys: 2 }),
          'invalid_argument',
          /^encoding: alibi was created for heads: 2, but the call has 3$/,
        ],
        [
          () => phasor.createCache({ heads: 2, headDim: 8, maxLength: 7, encoding: alibi }),
          'invalid_argument',
          /^encoding: alibi was created for keys: at most 6, but the call has 7$/,
        ],
        [
          () => phasor.createCache({ heads: 1, headDim: 8, maxLength: 6, encoding: alibi }),
          'invalid_argument',
          /^encoding: alibi was created for heads: 2, but the call has 1$/,
        ],
        // These calls accept no handle.
        [
          () => phasor.selfAttention({ x: tensor(6, 16), heads: 2, encoding: alibi as never }),
          'invalid_argument',
          /^encoding: an encoding handle is not the id of an encoding/,
        ],
        [
          () => shiftMatrix(phasor, { encoding: rope as never, dim: 8, k: 1 }),
          'invalid_argument',
          /^encoding: an encoding handle is not the id of an/,
        ],
        [
          () => phasor.createEncoding({ encoding: rope as never, ...sizes }),
          'invalid_argument',
          /^encoding: an encoding handle is not the id of an/,
        ],
      ]);
      rope.dispose();
      alibi.dispose();
    },
  ],
  [
    'rejects invalid configurations of an encoding handle',
    async (phasor) => {
      const create = (options: object) => () =>
        phasor.createEncoding({ encoding: 'rope', length: 4, dim: 8, ...options } as CreateEncodingRequest);
      await assertErrors([
        [create({ encoding: undefined }), 'invalid_argument', /^encoding: undefined is not the id of an encoding/],
        [create({ encoding: 'rop' }), 'unknown_name', /^encoding: "rop" is unknown/],
        [create({ encoding: { id: 'rope', bass: 2 } }), 'unknown_name', /^bass: is not a parameter of rope/],
        [create({ length: 0 }), 'invalid_argument', /^length: 0 is outside 1 to 1048576$/],
        [create({ length: undefined }), 'invalid_argument', /^length: undefined is not a number$/],
        [create({ length: 1.5 }), 'invalid_argument', /^length: 1.5 is not a whole number/],
        [create({ dim: 7 }), 'invalid_argument', /^dim: 7 is odd/],
        [create({ dim: undefined }), 'invalid_argument', /^dim: undefined is not a number$/],
        [create({ heads: 0 }), 'invalid_argument', /^heads: 0 is outside/],
        [create({ heads: 4, kvHeads: 3 }), 'invalid_argument', /^kvHeads: 3 does not divide heads; expected a divisor of 4$/],
        [create({ heads: 4, kvHeads: 8 }), 'invalid_argument', /^kvHeads: 8 is outside 1 to 4$/],
        [create({ kvHeads: -1 }), 'invalid_argument', /^kvHeads: -1 is outside/],
        [create({ vHeadDim: 0 }), 'invalid_argument', /^vHeadDim: 0 is outside/],
        [create({ axes: 4 }), 'invalid_argument', /^axes: 4 is outside 1 to 3$/],
        [create({ scale: Number.NaN }), 'invalid_argument', /^scale: NaN is not a finite number$/],
        [create({ scale: '1' }), 'invalid_argument', /^scale: "1" is not a number$/],
        [create({ lenght: 4 }), 'unknown_name', /^lenght is not a field of createEncoding$/],
        [create({ base: 4 }), 'unknown_name', /^base is not a field of createEncoding; parameters belong in the encoding/],
        [() => phasor.createEncoding('rope' as never), 'invalid_argument', /^createEncoding: argument 1 is "rope"; expected an object$/],
      ]);
    },
  ],
  [
    'rejects a disposed encoding handle except in its caches',
    async (phasor) => {
      const x = await randomTensor(phasor, 4, [2, 6, 8]);
      const encoding = await phasor.createEncoding({ encoding: { id: 't5', seed: 2 }, ...sizes });
      const open = { heads: 2, headDim: 8, maxLength: 6 };
      const cache = await phasor.createCache({ ...open, encoding });
      const other = await phasor.createCache({ ...open, encoding: { id: 't5', seed: 2 } });
      encoding.dispose();
      for (const [method, call] of Object.entries(createCalls(phasor, x))) {
        const error = await catchError(() => call(encoding));
        check(
          error.code === 'invalid_argument' && error.message === 'encoding: this encoding handle is disposed',
          `${method}: ${error.message}`,
        );
      }
      const step = { q: x, k: x, v: x };
      assertSame((await cache.decode({ ...step })).output, (await other.decode({ ...step })).output, 'its cache');
      cache.dispose();
      other.dispose();
    },
  ],
];
