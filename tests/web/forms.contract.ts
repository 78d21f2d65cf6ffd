// The forms of an encoding, which are the same in every call, and their errors.

import { type AnyPhasor, assertErrors, assertSame, type Contract, check } from './contract-checks.ts';
import { invoke as call } from './every-request.ts';

type Request = Record<string, unknown>;
type Ask = (options: Request) => unknown;

/** Every call that takes an encoding, with an encoding that it supports and a parameter that changes the result. */
function encodingCalls(phasor: AnyPhasor): [method: string, ask: Ask, id: string, params: Request][] {
  const x = { shape: [2, 4], data: Float32Array.of(1, 2, 3, 4, -1, 0.5, 2, 1) };
  const q = { ...x, shape: [1, 2, 4] };
  const ask = (method: string, request: Request, id: string, params: Request): [string, Ask, string, Request] => [
    method,
    (options) => call(phasor, [method, { ...request, ...options }]),
    id,
    params,
  ];
  const rotate: Ask = (options) => phasor.applyRotary(q, options as never);
  return [
    ask('positionTable', { length: 3, dim: 4 }, 'sinusoidal', { base: 100 }),
    ask('rotaryAngles', { length: 3, dim: 4 }, 'rope', { base: 100 }),
    ask('attentionBias', { heads: 2, queries: 2, keys: 3 }, 'alibi', { slopes: [0.5, 0.25] }),
    ['applyRotary', rotate, 'rope', { base: 100 }],
    ask('rotationMatrix', { position: 1, dim: 4 }, 'rope', { layout: 'half_split' }),
    ask('ropeFrequencies', { dim: 4 }, 'rope', { base: 100 }),
    ask('shiftMatrix', { dim: 4, k: 1 }, 'sinusoidal', { base: 100 }),
    ask('relativePositionError', { q: x, k: x, positions: [0, 1, 500] }, 'rope_2d', { columns: 4 }),
    ask('attention', { q, k: q, v: q }, 'rope', { base: 2 }),
    ask('attentionBackward', { q, k: q, v: q, dOutput: q }, 'rope', { base: 2 }),
    ask('selfAttention', { x, heads: 1 }, 'rope', { base: 2 }),
    ask('selfAttentionBackward', { x, heads: 1, dOutput: x }, 'rope', { base: 2 }),
    ask('permutationTest', { x, heads: 1, order: [1, 0] }, 'rope', { base: 2 }),
  ];
}

/** Calls whose default is encoding: 'none'. */
const optional: ReadonlySet<string> = new Set([
  'attention',
  'attentionBackward',
  'selfAttention',
  'selfAttentionBackward',
  'permutationTest',
  'createCache',
]);

const stringify = (result: unknown) =>
  JSON.stringify(result, (_, value) => (ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value));

export const formCases: Contract = [
  [
    'accepts an encoding in the same forms in every call',
    async (phasor) => {
      for (const [method, ask, id, params] of encodingCalls(phasor)) {
        const short = stringify(await ask({ encoding: id }));
        check(stringify(await ask({ encoding: { id } })) === short, `${method}: '${id}' is short for { id: '${id}' }`);
        check(
          stringify(await ask({ encoding: { id, base: undefined, slopes: null } })) === short,
          `${method}: undefined and null are absent`,
        );
        check(stringify(await ask({ encoding: { id, ...params } })) !== short, `${method}: the parameter has an effect`);
      }
      const open = { heads: 1, headDim: 2, maxLength: 2 };
      for (const encoding of ['rope', { id: 'rope' }, { id: 'rope', base: 2 }, undefined]) {
        (await phasor.createCache({ ...open, encoding })).dispose();
      }
    },
  ],
  [
    'rejects an encoding in any other form, in every call',
    async (phasor) => {
      const calls = encodingCalls(phasor).map(([method, ask, id, params]) => [method, ask, id, Object.keys(params)[0] ?? ''] as const);
      const cache = (options: Request) => phasor.createCache({ heads: 1, headDim: 2, maxLength: 2, ...options });
      for (const [method, ask, id, param] of [...calls, ['createCache', cache, 'rope', 'base'] as const]) {
        const encodeWith = (encoding: unknown) => () => ask({ encoding });
        const form = (shown: string) => new RegExp(`^encoding: ${shown} is not the id of an encoding or \\{id, \\.\\.\\.parameters\\}$`);
        await assertErrors([
          [encodeWith(3), 'invalid_argument', form('3')],
          [encodeWith(true), 'invalid_argument', form('true')],
          [encodeWith([id]), 'invalid_argument', form(id)],
          [encodeWith({}), 'invalid_argument', form('an object')],
          [encodeWith({ [param]: 2 }), 'invalid_argument', form('an object')],
          [encodeWith({ id: 7 }), 'invalid_argument', form('an object')],
          [encodeWith({ id: { id } }), 'invalid_argument', form('an object')],
          [encodeWith(`${id}x`), 'unknown_name', new RegExp(`^encoding: "${id}x" is unknown`)],
          [encodeWith({ id, wrong: 1 }), 'unknown_name', new RegExp(`^wrong: is not a parameter of ${id}`)],
          [
            encodeWith({ id, [param]: {} }),
            'invalid_argument',
            new RegExp(`^${param}: an object is not a number, a string, true, false, a list`),
          ],
          [
            () => ask({ encoding: id, [param]: 5e5 }),
            'unknown_name',
            new RegExp(`^${param} is not a field of ${method}; parameters belong in the encoding: \\{id: "${id}", ${param}: \\.\\.\\.\\}$`),
          ],
          [
            () => ask({ encoding: { id }, [param]: [1, 2] }),
            'unknown_name',
            new RegExp(`^${param} is not a field of ${method}; parameters belong in the encoding: \\{id: "${id}", `),
          ],
          [() => ask({ encoding: id, wrong: 1 }), 'unknown_name', new RegExp(`^wrong is not a field of ${method}$`)],
        ]);
        // shiftMatrix accepts a list of frequencies in place of an encoding.
        if (optional.has(method) || method === 'shiftMatrix') continue;
        await assertErrors([[encodeWith(undefined), 'invalid_argument', form('undefined')]]);
      }
    },
  ],
  [
    'keeps parameters apart from fields of the same name',
    async (phasor) => {
      // xpos has a parameter `length`, and learned has one called `table`.
      const angles = (encoding: Request) => phasor.rotaryAngles({ encoding: { id: 'xpos', ...encoding }, length: 2, dim: 4 });
      assertSame(await angles({ length: 7 }), await angles({}), 'the length of the text is not that of the request');
      const rows = { shape: [2, 3], data: [1, 2, 3, 4, 5, 6] };
      const table = await phasor.positionTable({ encoding: { id: 'learned', table: rows }, length: 2, dim: 3 });
      check(table.data.join() === '1,2,3,4,5,6', `the table is ${table.data.join()}`);
    },
  ],
];
