// attnMask and attnBias in every engine: a value per query and key, like attn_mask of PyTorch's scaled_dot_product_attention.

import type { AttentionRequest, Tensor } from '../../web/engine/types/api.ts';
import { assertClose, assertSame, type Contract, catchError, check, randomTensor } from './contract-checks.ts';

const ones: Tensor = { shape: [1, 4, 2], data: new Float32Array(8).fill(1) };
const VALUES: Tensor = { shape: [1, 4, 1], data: new Float32Array([1, 2, 30, 40]) };
/** The first two tokens see each other, the others those before them. */
const PREFIX = [1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1] as (0 | 1)[];

export const maskCases: Contract = [
  [
    'computes a prefix language model, by a mask or by a bias of -Infinity',
    async (phasor) => {
      const request = { q: ones, k: ones, v: VALUES };
      const bias = PREFIX.map((isVisible) => (isVisible ? 0 : Number.NEGATIVE_INFINITY));
      for (const fields of [
        { attnMask: { shape: [4, 4], data: PREFIX } },
        { attnMask: { shape: [1, 4, 4], data: PREFIX.map((isVisible) => isVisible === 1) } },
        { attnMask: { shape: [4, 4], data: Uint8Array.from(PREFIX) } },
        { attnBias: { shape: [4, 4], data: new Float32Array(bias) } },
        { attnBias: { shape: [1, 4, 4], data: new Float32Array(bias) } },
      ]) {
        const { output } = await phasor.attention({ ...request, ...fields });
        check(output.data.join() === '1.5,1.5,11,18.25', output.data.join());
      }
      // A mask is combined with 'causal', and the output of a row that sees nothing is 0.
      const strict = { shape: [4, 4], data: PREFIX.map((_, i) => (i % 5 === 0 ? 0 : 1) as 0 | 1) };
      const expected = await phasor.attention({ ...request, mask: 'causal', attnMask: strict, outputs: ['weights'] });
      check(expected.output.data.join() === '0,1,1.5,11', expected.output.data.join());
      check(expected.weights.data.slice(0, 4).join() === '0,0,0,0', expected.weights.data.join());
    },
  ],
  [
    'broadcasts masks and biases over heads and items, and returns the gradient of a bias',
    async (phasor) => {
      const [q, k, dOutput] = await Promise.all([1, 2, 3].map((seed) => randomTensor(phasor, seed, [2, 2, 5, 4])));
      const shared = await randomTensor(phasor, 4, [5, 5]);
      const commonRequest = { q, k, v: k, encoding: 'rope' } as AttentionRequest;
      const repeat = (times: number) => ({
        shape: [times / 2, 2, 5, 5],
        data: Float32Array.from({ length: 25 * times }, (_, i) => shared.data[i % 25] as number),
      });
      const expected = await phasor.attention({ ...commonRequest, attnBias: repeat(4), outputs: ['weights', 'scores', 'bias'] });
      const gradients = await phasor.attentionBackward({ ...commonRequest, attnBias: repeat(4), dOutput: dOutput as Tensor });
      for (const bias of [shared, { ...shared, shape: [1, 5, 5] }, { ...shared, shape: [1, 1, 5, 5] }, repeat(2)]) {
        const actual = await phasor.attention({ ...commonRequest, attnBias: bias, outputs: ['weights', 'scores', 'bias'] });
        for (const name of ['output', 'weights', 'scores', 'bias'] as const) assertSame(actual[name], expected[name], name);
        const { dAttnBias, dq } = await phasor.attentionBackward({ ...commonRequest, attnBias: bias, dOutput: dOutput as Tensor });
        assertSame(dq, gradients.dq, 'dq');
        check(dAttnBias?.shape.join() === bias.shape.join(), `${dAttnBias?.shape}`);
        const size = dAttnBias?.data.length as number;
        dAttnBias?.data.forEach((slope, i) => {
          let sum = 0;
          gradients.dAttnBias?.data.forEach((gradient, index) => {
            if (index % size === i) sum += gradient;
          });
          assertClose(slope, sum, 1e-6, `dAttnBias[${i}]`);
        });
      }
      const plainGradients = await phasor.attentionBackward({ ...commonRequest, dOutput: dOutput as Tensor });
      check(!('dAttnBias' in plainGradients), 'without a bias there is no gradient of it');
      const strided = { shape: [5, 5], strides: [1, 5], data: shared.data };
      const flipped = {
        shape: [5, 5],
        data: Float32Array.from(shared.data, (_, i) => shared.data[(i % 5) * 5 + Math.floor(i / 5)] as number),
      };
      assertSame(
        (await phasor.attention({ ...commonRequest, attnBias: strided })).output,
        (await phasor.attention({ ...commonRequest, attnBias: flipped })).output,
        'strides',
      );
    },
  ],
  [
    'counts only keys visible by attnMask for cope',
    async (phasor) => {
      const [q, k, v] = await Promise.all([1, 2, 3].map((seed) => randomTensor(phasor, seed, [2, 6, 4])));
      const hidden = { shape: [6, 6], data: Array.from({ length: 36 }, (_, i) => (i % 6 === 2 ? 0 : 1) as 0 | 1) };
      const request = { q, k, v, encoding: { id: 'cope', seed: 1 }, mask: 'causal' } as AttentionRequest;
      const byPairs = await phasor.attention({ ...request, attnMask: hidden });
      const byKeys = await phasor.attention({ ...request, keyMask: [1, 1, 0, 1, 1, 1] });
      assertSame(byPairs.output, byKeys.output, 'a mask of a key');
    },
  ],
  [
    'rejects masks and biases of other shapes or values and names them',
    async (phasor) => {
      const request = { q: ones, k: ones, v: VALUES };
      const cases: [object, string][] = [
        [
          { attnMask: { shape: [4, 3], data: PREFIX.slice(0, 12) } },
          'attnMask: has shape 4 x 3; expected a shape that broadcasts to 1 x 4 x 4',
        ],
        [{ attnMask: { shape: [4], data: [1, 1, 1, 1] } }, 'attnMask: has shape 4; expected a shape that broadcasts to 1 x 4 x 4'],
        [{ attnMask: { shape: [4, 4], data: [1] } }, 'attnMask: has shape 4 x 4, but 1 values'],
        [{ attnMask: { shape: [4, 4], data: PREFIX.map((x) => 2 * x) } }, 'attnMask.data[0]: 2 is not 0, 1, true or false'],
        [{ attnMask: PREFIX }, 'attnMask: expected a tensor {shape, data} of queries x keys'],
        [
          { attnBias: { shape: [2, 4, 4], data: new Float32Array(32) } },
          'attnBias: has shape 2 x 4 x 4; expected a shape that broadcasts to 1 x 4 x 4',
        ],
        [{ attnBias: { shape: [1, 4], data: [0, 0, Number.NaN, 0] } }, 'attnBias[2]: NaN is neither finite nor -Infinity'],
        [{ attnBias: { shape: [1, 4], data: [0, Infinity, 0, 0] } }, 'attnBias[1]: Infinity is neither finite nor -Infinity'],
      ];
      for (const [fields, sentence] of cases) {
        for (const gradient of [false, true]) {
          const fullRequest = { ...request, ...fields } as AttentionRequest;
          const { message } = await catchError(() =>
            gradient ? phasor.attentionBackward({ ...fullRequest, dOutput: VALUES }) : phasor.attention(fullRequest),
          );
          check(message === sentence, message);
        }
      }
      const layer = await catchError(() =>
        phasor.selfAttention({ x: VALUES, heads: 1, attnMask: { shape: [4, 4], data: PREFIX } } as never),
      );
      check(layer.message.startsWith('attnMask is not a field of selfAttention'), layer.message);
    },
  ],
];
