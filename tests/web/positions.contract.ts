// Attention with positions and with a batch axis, in every engine.

import type { AttentionRequest, Tensor } from '../../web/engine/types/api.ts';
import { assertClose, assertSame, type Contract, catchError, check, randomTensor, sliceTokens } from './contract-checks.ts';

const item = ({ shape: [, ...shape], data }: Tensor, index: number): Tensor => {
  const size = shape.reduce((a, b) => a * b);
  return { shape, data: data.slice(index * size, (index + 1) * size) };
};

const expectNear = (actual: Tensor, expected: Tensor, label: string) => {
  check(actual.shape.join() === expected.shape.join(), `${label}: ${actual.shape}`);
  for (const [i, value] of actual.data.entries()) assertClose(value, expected.data[i] as number, 1e-5, label);
};

/** Position ids as in transformers, where padding has position 1. */
const LEFT_PADDED = [1, 1, 1, 0, 1, 2, 3, 4, 5];
const LEFT_MASK = [0, 0, 0, 1, 1, 1, 1, 1, 1] as const;

export const positionCases: Contract = [
  [
    'computes a left-padded text like the text alone, with gradients',
    async (phasor) => {
      const inputs = await Promise.all([1, 2, 3, 4].map((seed) => randomTensor(phasor, seed, [4, 9, 8])));
      const [q, k, v, dOutput] = inputs as [Tensor, Tensor, Tensor, Tensor];
      const text = { q: sliceTokens(q, 3, 9), k: sliceTokens(k, 3, 9), v: sliceTokens(v, 3, 9) };
      const masked = { ...dOutput, data: dOutput.data.map((value, i) => (Math.floor(i / 8) % 9 < 3 ? 0 : value)) };
      for (const id of ['rope', 'alibi', 't5', 'cope', 'shaw']) {
        const encoding = id === 'rope' || id === 'alibi' ? id : { id, seed: 3 };
        const padded = { q, k, v, encoding, mask: 'causal', keyMask: LEFT_MASK, queryPositions: LEFT_PADDED, keyPositions: LEFT_PADDED };
        const { output } = await phasor.attention(padded as AttentionRequest);
        const expected = await phasor.attention({ ...text, encoding, mask: 'causal' });
        expectNear(sliceTokens(output, 3, 9), expected.output, id);
        const { dk } = await phasor.attentionBackward({ ...(padded as AttentionRequest), dOutput: masked });
        const expectedGradients = await phasor.attentionBackward({ ...text, encoding, mask: 'causal', dOutput: sliceTokens(masked, 3, 9) });
        expectNear(sliceTokens(dk, 3, 9), expectedGradients.dk, `${id}: dk`);
      }
    },
  ],
  [
    'accepts positions in any order, in any array type and with coordinates',
    async (phasor) => {
      const [q, k, v] = await Promise.all([1, 2, 3].map((seed) => randomTensor(phasor, seed, [2, 6, 8])));
      const usual = [0, 1, 2, 3, 4, 5];
      const request = { q, k, v, encoding: 'alibi', mask: 'causal', window: 4 } as AttentionRequest;
      const expected = await phasor.attention(request);
      for (const list of [usual, new Int32Array(usual), { shape: [6], data: usual }, { shape: [6, 1], data: new Float64Array(usual) }]) {
        assertSame(
          (await phasor.attention({ ...request, queryPositions: list, keyPositions: list })).output,
          expected.output,
          'the usual ones',
        );
      }
      const rotated = (t: Tensor): Tensor => {
        const rows = usual.map((row) => sliceTokens(t, 5 - row, 6 - row));
        return {
          shape: t.shape,
          data: Float32Array.from([0, 1].flatMap((h) => rows.flatMap(({ data }) => [...data.slice(h * 8, h * 8 + 8)]))),
        };
      };
      const reversed = { queryPositions: usual.toReversed(), keyPositions: usual.toReversed() };
      const { output } = await phasor.attention({
        ...request,
        q: rotated(q as Tensor),
        k: rotated(k as Tensor),
        v: rotated(v as Tensor),
        ...reversed,
      });
      expectNear(output, rotated(expected.output), 'the other way round');

      const patches = { shape: [6, 2], data: [0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2] };
      const picture = { q, k, v, encoding: 'rope_2d', queryPositions: patches, keyPositions: patches } as AttentionRequest;
      const [rotatedQ, rotatedK] = await Promise.all(
        [q, k].map((x) => phasor.applyRotary(x as Tensor, { encoding: 'rope_2d', positions: patches })),
      );
      const flat = await phasor.attention({ q: rotatedQ as Tensor, k: rotatedK as Tensor, v: v as Tensor });
      assertSame((await phasor.attention(picture)).output, flat.output, 'patches');
    },
  ],
  [
    'computes every item of a batch like a separate call',
    async (phasor) => {
      const draw = async (seed: number, heads: number) => randomTensor(phasor, seed, [2, heads, 9, 8]);
      const [q, k, v, dOutput] = [await draw(1, 4), await draw(2, 2), await draw(3, 2), await draw(4, 4)];
      const ids = [...LEFT_PADDED, 0, 1, 2, 3, 4, 5, 6, 7, 8];
      const flags = [...LEFT_MASK, 1, 1, 1, 1, 1, 1, 1, 1, 1] as (0 | 1)[];
      const positions = { shape: [2, 9], data: new Int32Array(ids) };
      const batch = {
        ...{ q, k, v, mask: 'causal', queryPositions: positions, keyPositions: positions },
        keyMask: { shape: [2, 9], data: flags },
      } as AttentionRequest;
      const requestOf = (b: number): AttentionRequest => ({
        ...batch,
        ...{ q: item(q, b), k: item(k, b), v: item(v, b), keyMask: flags.slice(9 * b, 9 * b + 9) },
        ...{ queryPositions: ids.slice(9 * b, 9 * b + 9), keyPositions: ids.slice(9 * b, 9 * b + 9) },
      });
      for (const encoding of ['alibi', 'rope', { id: 't5', seed: 1 }]) {
        const outputs = ['weights', 'scores', 'bias', 'pooledWeights'] as const;
        const batchOutput = await phasor.attention({ ...batch, encoding, outputs });
        const batchGradients = await phasor.attentionBackward({ ...batch, encoding, dOutput: dOutput });
        for (const b of [0, 1]) {
          const rowOutput = await phasor.attention({ ...requestOf(b), encoding, outputs });
          for (const name of ['output', 'weights', 'scores', 'bias'] as const)
            assertSame(item(batchOutput[name]!, b), rowOutput[name]!, name);
          assertSame(item(batchOutput.pooledWeights!.mean, b), rowOutput.pooledWeights!.mean, 'pooling.mean');
          const gradients = await phasor.attentionBackward({ ...requestOf(b), encoding, dOutput: item(dOutput, b) });
          for (const name of ['dq', 'dk', 'dv'] as const) assertSame(item(batchGradients[name], b), gradients[name], name);
        }
      }
      // Folding the batch into the heads would give ALiBi the slopes of other heads.
      const foldHeads = (x: Tensor): Tensor => ({
        shape: [(x.shape[0] as number) * (x.shape[1] as number), ...x.shape.slice(2)],
        data: x.data,
      });
      const causalAlibi = { mask: 'causal', encoding: 'alibi' } as const;
      const correct = await phasor.attention({ q, k, v, ...causalAlibi });
      const wrong = await phasor.attention({ q: foldHeads(q), k: foldHeads(k), v: foldHeads(v), ...causalAlibi });
      check(
        correct.output.data.some((value, i) => Math.abs(value - (wrong.output.data[i] as number)) > 0.01),
        'the batch is not an axis of heads',
      );
    },
  ],
  [
    'rejects positions of an ambiguous shape, and accepts explicit batch or coordinate axes',
    async (phasor) => {
      const x = await randomTensor(phasor, 6, [2, 1, 2, 4]);
      const tensor = (shape: number[], data: number[]) => ({ shape, data });
      const run = (encoding: string, positions: { shape: number[]; data: number[] }) =>
        phasor.attention({ q: x, k: x, v: x, encoding, queryPositions: positions, keyPositions: positions } as AttentionRequest);
      const { message, name } = await catchError(() => run('rope', tensor([2, 2], [0, 1, 5, 3])));
      check(name === 'PhasorError', name);
      check(
        message ===
          'queryPositions.shape: 2 x 2 could be [batch, tokens] or [tokens, axes]; expected [batch, tokens, 1] or [batch, tokens, axes]',
        message,
      );
      const rowOf = (b: number) => ({ shape: [1, 2, 4], data: x.data.slice(8 * b, 8 * b + 8) });
      const items = await run('rope', tensor([2, 2, 1], [0, 1, 5, 3]));
      const picture = await run('rope_2d', tensor([2, 2, 2], [0, 1, 5, 3, 0, 1, 5, 3]));
      for (const b of [0, 1]) {
        const q = rowOf(b);
        const locations = [
          [0, 1],
          [5, 3],
        ][b] as number[];
        const rowOutput = await phasor.attention({ q, k: q, v: q, encoding: 'rope', queryPositions: locations, keyPositions: locations });
        assertSame(item(items.output, b), rowOutput.output, `item ${b}`);
        const patches = tensor([2, 2], [0, 1, 5, 3]);
        const two = await phasor.attention({ q, k: q, v: q, encoding: 'rope_2d', queryPositions: patches, keyPositions: patches });
        assertSame(item(picture.output, b), two.output, `picture ${b}`);
      }
    },
  ],
  [
    'rejects positions and masks of a wrong shape or value, by name',
    async (phasor) => {
      const x = { shape: [1, 3, 4], data: new Float32Array(12) };
      const zeros = { shape: [2, 1, 3, 4], data: new Float32Array(24) };
      const usual = [0, 1, 2];
      const cases: [object, string | RegExp][] = [
        [{ queryPositions: usual }, 'keyPositions: is missing, but queryPositions is set; expected both or neither'],
        [{ keyPositions: usual }, 'queryPositions: is missing, but keyPositions is set; expected both or neither'],
        [{ queryPositions: usual, keyPositions: usual, positionOffset: 0 }, 'positionOffset: cannot be combined with queryPositions'],
        [{ queryPositions: [], keyPositions: usual }, 'queryPositions: is empty; expected at least one position'],
        [{ queryPositions: [0, 1], keyPositions: usual }, 'queryPositions: has 2 entries; expected 3, one per query'],
        [{ queryPositions: usual, keyPositions: [0, 1, 2, 3] }, 'keyPositions: has 4 entries; expected 3, one per key'],
        [{ queryPositions: usual, keyPositions: [0, Number.NaN, 2] }, /^keyPositions\[1\]: NaN is outside/],
        [{ queryPositions: [0, 1, Infinity], keyPositions: usual }, /^queryPositions\[2\]: Infinity is outside/],
        [{ queryPositions: 'last', keyPositions: usual }, 'queryPositions: "last" is not an array of numbers'],
        [{ queryPositions: [0, '1', 2], keyPositions: usual }, /^queryPositions: .* is not an array of numbers/],
        [
          { queryPositions: { shape: [2, 3], data: [0, 1, 2, 0, 1, 2] }, keyPositions: usual },
          'queryPositions.shape: 2 x 3 does not match the tokens, 3, with or without axes',
        ],
        [{ queryPositions: { shape: [3], data: [0, 1] }, keyPositions: usual }, 'queryPositions.data: 2 values do not match its shape'],
        [
          { queryPositions: { shape: [3, 2], data: [0, 0, 0, 1, 1, 0] }, keyPositions: usual },
          'keyPositions: has 1 axes, but queryPositions has 2',
        ],
        [
          { encoding: 'cope', queryPositions: usual, keyPositions: [2, 1, 0] },
          'keyPositions: 1 comes after 2, but cope requires keys in ascending order',
        ],
        [{ keyMask: { shape: [2], data: [1, 1] } }, 'keyMask.shape: 2 does not match the tokens, 3'],
        [{ keyMask: { shape: [3], data: [1, 1, 2] } }, /^keyMask\.data\[2\]: 2 is not 0, 1/],
        [
          { q: zeros, k: zeros, v: zeros, keyMask: { shape: [3, 2], data: [1, 1, 1, 1, 1, 1] } },
          'keyMask.shape: 3 x 2 does not match the tokens, 2 x 3',
        ],
        [{ q: zeros, k: zeros, v: zeros, keyMask: { shape: [2, 3], data: [1, 1, 1] } }, 'keyMask.data: 3 values do not match its shape'],
        [{ q: zeros }, 'k: has shape 1 x 3 x 4; expected batch x heads x tokens x dim'],
        [{ k: zeros }, 'k: has shape 2 x 1 x 3 x 4; expected heads x tokens x dim'],
      ];
      for (const [fields, sentence] of cases) {
        for (const gradient of [false, true]) {
          const request = { q: x, k: x, v: x, ...fields } as AttentionRequest;
          const run = () => (gradient ? phasor.attentionBackward({ ...request, dOutput: request.q }) : phasor.attention(request));
          const { message, name } = await catchError(run);
          const isMatch = typeof sentence === 'string' ? message === sentence : sentence.test(message);
          check(name === 'PhasorError' && isMatch, `${JSON.stringify(fields)}: ${message}`);
        }
      }
    },
  ],
];
