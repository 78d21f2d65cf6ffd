// Splits projections into heads without a copy, and concatenates heads in results.

import { splitHeads, splitQkv } from '../../web/engine/request/split-heads.ts';
import type { Tensor } from '../../web/engine/types/api.ts';
import { assertErrors, assertSame, type Contract, check, randomTensor } from './contract-checks.ts';
import { tensor } from './every-request.ts';
import { copied, indices, sideBySide } from './layouts.ts';

export const headCases: Contract = [
  [
    'views the heads of a projection without a copy',
    async (phasor) => {
      const [heads, tokens, width] = [4, 403, 32]; // large enough for a pool to split
      const qkv = await randomTensor(phasor, 2, [tokens, 3 * heads * width]);
      const channel = {
        qkv_heads_dim: (part: number, head: number) => (part * heads + head) * width,
        heads_qkv_dim: (part: number, head: number) => (head * 3 + part) * width,
      };
      for (const layout of ['qkv_heads_dim', 'heads_qkv_dim'] as const) {
        const views = splitQkv(qkv, { heads, layout });
        const expectedHeads = (part: number): Tensor => ({
          shape: [heads, tokens, width],
          data: Float32Array.from(
            indices([heads, tokens, width]),
            ([head = 0, token = 0, c = 0]) => qkv.data[token * 3 * heads * width + channel[layout](part, head) + c] as number,
          ),
        });
        const [q, k, v] = [expectedHeads(0), expectedHeads(1), expectedHeads(2)];
        check((views.q.data as Float32Array).buffer === qkv.data.buffer, 'no copy');
        for (const encoding of ['none', 'rope']) {
          const request = { encoding, mask: 'causal' } as const;
          const { output } = await phasor.attention({ q, k, v, ...request });
          assertSame((await phasor.attention({ ...views, ...request })).output, output, `${layout}, ${encoding}`);
          const joinedOutput = await phasor.attention({ ...views, ...request, outputLayout: 'token_major' });
          assertSame(joinedOutput.output, sideBySide(output), `${layout}, ${encoding}: the output`);
        }
      }
      const x = await randomTensor(phasor, 3, [2, 5, 12]);
      const innerViews = splitHeads({ shape: [2, 5, 6], strides: [60, 12, 2], offset: 1, data: x.data }, 3);
      check(
        innerViews.shape.join() === '2,3,5,2' && innerViews.strides.join() === '60,4,12,2' && innerViews.offset === 1,
        JSON.stringify(innerViews.strides),
      );
      assertSame(copied(splitHeads(x, 3)), copied({ shape: [2, 3, 5, 4], strides: [60, 4, 12, 1], offset: 0, data: x.data }), 'a batch');
      const shared = splitQkv({ shape: [5, 24], data: new Float32Array(120) }, { heads: 8, kvHeads: 2, layout: 'qkv_heads_dim' });
      check(
        [shared.q, shared.k, shared.v].map(({ shape, offset }) => `${shape}@${offset}`).join(' ') === '8,5,2@0 2,5,2@16 2,5,2@20',
        'kvHeads',
      );
    },
  ],
  [
    'rejects projections that cannot be split, with the name of the argument',
    async () => {
      const x = { shape: [5, 24], data: new Float32Array(120) };
      const heads =
        (request: unknown, count: unknown = 2) =>
        () =>
          splitHeads(request as never, count as never);
      const qkv =
        (options: unknown, input: unknown = x) =>
        () =>
          splitQkv(input as never, options as never);
      const layout = 'qkv_heads_dim';
      const wrongInputs: (readonly [unknown, RegExp])[] = [
        [0, /: 0 is outside 1 to/],
        [-2, /: -2 is outside 1 to/],
        [1.5, /: 1\.5 is not a whole number$/],
        [Number.NaN, /: NaN is not a whole number$/],
        ['2', /: "2" is not a number$/],
        [2 ** 31, /: 2147483648 is outside 1 to/],
        [null, /: (null|undefined) is not a number$/],
      ];
      await assertErrors([
        ...wrongInputs.map(([value, sentence]) => [heads(x, value), 'invalid_argument', new RegExp(`^heads${sentence.source}`)] as const),
        ...wrongInputs.map(
          ([value, sentence]) => [qkv({ heads: value, layout }), 'invalid_argument', new RegExp(`^heads${sentence.source}`)] as const,
        ),
        ...wrongInputs
          .filter(([value]) => value !== null)
          .map(
            ([kvHeads, sentence]) =>
              [qkv({ heads: 4, kvHeads, layout }), 'invalid_argument', new RegExp(`^kvHeads${sentence.source}`)] as const,
          ),
        [heads(x, 5), 'invalid_argument', /^x: has 24 channels, which cannot be split into 5 heads$/],
        [heads(x, 48), 'invalid_argument', /^x: has 24 channels, which cannot be split into 48 heads$/],
        [heads({ ...x, shape: [120] }), 'invalid_argument', /^x: has shape 120; expected tokens x channels$/],
        [heads({ ...x, shape: [5, 25] }), 'invalid_argument', /^x\.data: has 120 values, but .* reach index 124$/],
        [heads({ ...x, shape: [5, 2.5] }), 'invalid_argument', /^x\.shape: a list is not an array of whole numbers/],
        [heads({ ...x, strides: [24] }), 'invalid_argument', /^x\.strides: has 1 entries, but shape has 2$/],
        [heads({ ...x, strides: [24, -1] }), 'invalid_argument', /^x\.strides\[1\]: -1 is not a whole number/],
        [heads({ ...x, offset: Number.NaN }), 'invalid_argument', /^x\.offset: NaN is not a whole number/],
        [heads({ ...x, data: 'numbers' }), 'invalid_argument', /^x\.data: "numbers" is not an array of numbers$/],
        [heads({ ...x, dta: 1 }), 'unknown_name', /^x\.dta is not a field of splitHeads$/],
        [heads(undefined), 'invalid_argument', /^x: undefined is not a tensor \{shape, data\}$/],
        [heads([1, 2]), 'invalid_argument', /^x: a list is not a tensor \{shape, data\}$/],
        [qkv({ heads: 5, layout }), 'invalid_argument', /^qkv: has 24 channels, which cannot be split into 15 heads$/],
        [qkv({ heads: 4, kvHeads: 3, layout }), 'invalid_argument', /^kvHeads: 3 does not divide heads; expected a divisor of 4$/],
        [qkv({ heads: 4, kvHeads: 5, layout }), 'invalid_argument', /^kvHeads: 5 is outside 1 to 4$/],
        [
          qkv({ heads: 4, kvHeads: 2, layout: 'heads_qkv_dim' }),
          'invalid_argument',
          /^kvHeads: 2 differs from heads; expected 4 for the layout heads_qkv_dim$/,
        ],
        [qkv({ heads: 4 }), 'invalid_argument', /^layout: undefined is not one of qkv_heads_dim, heads_qkv_dim$/],
        [qkv({ heads: 4, layout: 'interleaved' }), 'invalid_argument', /^layout: "interleaved" is not one of/],
        [qkv({ heads: 4, layout: 1 }), 'invalid_argument', /^layout: 1 is not one of/],
        [qkv({ heads: 4, layout, head: 1 }), 'unknown_name', /^head is not a field of splitQkv$/],
        [qkv(undefined), 'invalid_argument', /^splitQkv: argument 2 is undefined; expected an object$/],
        [qkv({ heads: 4, layout }, { ...x, rows: 1 }), 'unknown_name', /^qkv\.rows is not a field of splitQkv$/],
        [qkv({ heads: 4, layout }, null), 'invalid_argument', /^qkv: null is not a tensor \{shape, data\}$/],
      ]);
    },
  ],
  [
    'concatenates the heads with the output layout token_major',
    async (phasor) => {
      const shapes = [
        [2, 4, 9, 6],
        [2, 2, 9, 6],
        [2, 2, 9, 5],
        [2, 4, 9, 5],
      ];
      const [q, k, v, dOutput] = (await Promise.all(shapes.map((shape, seed) => randomTensor(phasor, seed, shape)))) as [
        Tensor,
        Tensor,
        Tensor,
        Tensor,
      ];
      const outputLayout = 'token_major' as const;
      const item = ({ shape, data }: Tensor): Tensor => ({ shape: shape.slice(1), data: data.slice(0, data.length / 2) });
      for (const view of [(t: Tensor) => t, item]) {
        const request = { q: view(q), k: view(k), v: view(v), encoding: 'rope', mask: 'causal' } as const;
        const rows = await phasor.attention({ ...request, outputs: ['weights'] });
        const joinedOutput = await phasor.attention({ ...request, outputs: ['weights'], outputLayout });
        assertSame(joinedOutput.output, sideBySide(rows.output), 'the output');
        assertSame(joinedOutput.weights, rows.weights, 'the weights');
        assertSame((await phasor.attention({ ...request, outputLayout: 'head_major' })).output, rows.output, 'the default');
        const expected = await phasor.attentionBackward({ ...request, dOutput: view(dOutput) });
        const actual = await phasor.attentionBackward({ ...request, dOutput: sideBySide(view(dOutput)), outputLayout });
        for (const name of ['dq', 'dk', 'dv'] as const) assertSame(actual[name], sideBySide(expected[name]), name);
      }
      const cacheRequest = { heads: 4, kvHeads: 2, headDim: 6, vHeadDim: 5, maxLength: 9 };
      const tokens = { q: item(q), k: item(k), v: item(v) };
      const decode = async (options: object) => {
        const cache = await phasor.createCache({ ...cacheRequest, ...options });
        const { output } = await cache.decode({ ...tokens });
        cache.dispose();
        return output;
      };
      assertSame(await decode({ outputLayout }), sideBySide(await decode({})), 'decoded tokens');

      const request = { ...tokens, dOutput: item(dOutput) };
      const layoutPattern = (printedValue: string) => new RegExp(`^outputLayout: ${printedValue} is not one of head_major, token_major$`);
      const values: (readonly [unknown, string])[] = [
        ['tokens', '"tokens"'],
        ['', '""'],
        [1, '1'],
        [Number.NaN, 'NaN'],
        [true, 'true'],
        [['token_major'], 'token_major'],
        [{}, 'an object'],
      ];
      for (const [value, printedValue] of values) {
        const options = { outputLayout: value } as never;
        await assertErrors([
          [() => phasor.attention({ ...tokens, ...(options as object) }), 'invalid_argument', layoutPattern(printedValue)],
          [() => phasor.attentionBackward({ ...request, ...(options as object) }), 'invalid_argument', layoutPattern(printedValue)],
          [() => phasor.createCache({ ...cacheRequest, ...(options as object) }), 'invalid_argument', layoutPattern(printedValue)],
        ]);
      }
      await assertErrors([
        [
          () => phasor.attentionBackward({ ...request, outputLayout }),
          'invalid_argument',
          /^dOutput: has shape 4 x 9 x 5; expected 9 x 20, the shape of the output$/,
        ],
        [
          () => phasor.attentionBackward({ ...request, dOutput: sideBySide(item(dOutput)) }),
          'invalid_argument',
          /^dOutput: has shape 9 x 20; expected 4 x 9 x 5, the shape of the output$/,
        ],
        [() => phasor.attention({ ...tokens, outputlayout: 'token_major' } as never), 'unknown_name', /did you mean outputLayout\?$/],
        [
          () => phasor.selfAttention({ x: tensor(2, 2), heads: 1, outputLayout } as never),
          'unknown_name',
          /^outputLayout is not a field of selfAttention$/,
        ],
        [
          () => phasor.applyRotary(item(q), { encoding: 'rope', outputLayout } as never),
          'unknown_name',
          /^outputLayout is not a field of applyRotary$/,
        ],
      ]);
      const cache = await phasor.createCache(cacheRequest);
      await assertErrors([
        [() => cache.decode({ ...tokens, outputLayout } as never), 'unknown_name', /^outputLayout is not a field of decode$/],
      ]);
      cache.dispose();
    },
  ],
];
