// Packed texts in every engine: with segment ids, each text has the result of a separate call.

import type { AttentionRequest, SelfAttentionRequest, Tensor } from '../../web/engine/types/api.ts';
import { assertClose, assertSame, type Contract, catchError, check, randomTensor, sliceTokens } from './contract-checks.ts';

/** Three texts of 5, 1 and 6 tokens. */
const ENDS = [0, 5, 6, 12];
const IDS = [0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2];

const expectNear = (actual: Tensor, expected: Tensor, label: string) => {
  check(actual.shape.join() === expected.shape.join(), `${label}: the shape is ${actual.shape}`);
  actual.data.forEach((value, i) => {
    assertClose(value, expected.data[i] as number, 2e-6, `${label}, number ${i}`);
  });
};

const ones: Tensor = { shape: [1, 4, 2], data: new Float32Array(8).fill(1) };
const VALUES: Tensor = { shape: [1, 4, 1], data: new Float32Array([1, 2, 30, 40]) };
const REFUSAL = 'keyPositions[2]: 0 is also the position of key 0; texts packed under a causal mask need querySegmentIds and keySegmentIds';

export const segmentCases: Contract = [
  [
    'keeps packed texts apart, and rejects repeated positions without segment ids',
    async (phasor) => {
      const request = { q: ones, k: ones, v: VALUES, mask: 'causal' } as const;
      const positions = { queryPositions: [0, 1, 0, 1], keyPositions: [0, 1, 0, 1] };
      const ids = await phasor.segmentIds({ cuSeqlens: [0, 2, 4] });
      check(ids.data.join() === '0,0,1,1', ids.data.join());
      for (const list of [ids, [0, 0, 1, 1], new Int32Array([7, 7, 3, 3])]) {
        for (const positionFields of [{}, positions]) {
          const { output } = await phasor.attention({ ...request, ...positionFields, querySegmentIds: list, keySegmentIds: list });
          check(output.data.join() === '1,1.5,30,35', output.data.join());
        }
      }
      const { message } = await catchError(() => phasor.attention({ ...request, ...positions }));
      check(message === REFUSAL, message);
      const gradient = await catchError(() => phasor.attentionBackward({ ...request, ...positions, dOutput: VALUES }));
      check(gradient.message === REFUSAL, gradient.message);
    },
  ],
  [
    'computes every packed text like a separate call, with gradients',
    async (phasor) => {
      const [q, k, v, dOutput] = await Promise.all([1, 2, 3, 4].map((seed) => randomTensor(phasor, seed, [2, 12, 8])));
      const qkv = { q, k, v } as { q: Tensor; k: Tensor; v: Tensor };
      for (const id of ['none', 'rope', 'alibi', 't5', 'cope', 'shaw', 'deberta']) {
        for (const options of [{}, { window: 3 }, { window: 2, sinkTokens: 1, sinks: [0.5, -1], softcap: 3 }]) {
          const encoding = ['none', 'rope', 'alibi'].includes(id) ? id : { id, seed: 3 };
          const commonRequest = { encoding, mask: 'causal', ...options } as const;
          const packed = { ...commonRequest, querySegmentIds: IDS, keySegmentIds: IDS };
          const { output, weights } = await phasor.attention({ ...qkv, ...packed, outputs: ['weights'] });
          const gradients = await phasor.attentionBackward({ ...qkv, ...packed, dOutput: dOutput as Tensor });
          for (let text = 0; text < 3; text++) {
            const [first, last] = [ENDS[text] as number, ENDS[text + 1] as number];
            const segmentTensors = {
              q: sliceTokens(qkv.q, first, last),
              k: sliceTokens(qkv.k, first, last),
              v: sliceTokens(qkv.v, first, last),
            };
            expectNear(
              sliceTokens(output, first, last),
              (await phasor.attention({ ...segmentTensors, ...commonRequest })).output,
              `${id}, text ${text}`,
            );
            const expectedGradients = await phasor.attentionBackward({
              ...segmentTensors,
              ...commonRequest,
              dOutput: sliceTokens(dOutput as Tensor, first, last),
            });
            for (const name of ['dq', 'dk', 'dv'] as const) {
              sliceTokens(gradients[name], first, last).data.forEach((value, i) => {
                assertClose(value, expectedGradients[name].data[i] as number, 1e-5, `${id}: ${name}[${i}]`);
              });
            }
          }
          weights.data.forEach((weight, i) => {
            const [row, key] = [Math.floor(i / 12) % 12, i % 12];
            check(weight === 0 || IDS[row] === IDS[key], `${id}: query ${row} sees key ${key}`);
          });
        }
      }
    },
  ],
  [
    'supports segment ids per batch item, in a layer and in a cache',
    async (phasor) => {
      const q = await randomTensor(phasor, 1, [2, 2, 12, 8]);
      const otherIds = IDS.map((id) => 2 - id);
      const ids = { shape: [2, 12], data: [...IDS, ...otherIds] };
      const batchRequest = { q, k: q, v: q, mask: 'causal', encoding: 'rope' } as const;
      const { output } = await phasor.attention({ ...batchRequest, querySegmentIds: ids, keySegmentIds: ids });
      for (const b of [0, 1]) {
        const batchTensor = { shape: [2, 12, 8], data: q.data.slice(192 * b, 192 * b + 192) };
        const list = b === 0 ? IDS : otherIds;
        const commonRequest = await phasor.attention({
          ...batchRequest,
          q: batchTensor,
          k: batchTensor,
          v: batchTensor,
          querySegmentIds: list,
          keySegmentIds: list,
        });
        assertSame({ shape: [2, 12, 8], data: output.data.slice(192 * b, 192 * b + 192) }, commonRequest.output, `item ${b}`);
      }

      const x = await randomTensor(phasor, 5, [12, 8]);
      const layer = { heads: 2, mask: 'causal', encoding: 'sinusoidal' } as const;
      const fullOutput = await phasor.selfAttention({ ...layer, x, segmentIds: IDS });
      const last: Tensor = { shape: [6, 8], data: x.data.slice(48) };
      expectNear(
        { shape: [6, 8], data: fullOutput.output.data.slice(48) },
        (await phasor.selfAttention({ ...layer, x: last })).output,
        'a layer',
      );

      const text = { shape: [2, 12, 8], data: q.data.slice(0, 192) };
      const alternatingIds = IDS.map((_, token) => (token < 4 ? 0 : token % 2));
      const expected = await phasor.attention({
        ...batchRequest,
        q: text,
        k: text,
        v: text,
        querySegmentIds: alternatingIds,
        keySegmentIds: alternatingIds,
      });
      const cache = await phasor.createCache({ heads: 2, headDim: 8, maxLength: 12, encoding: 'rope' });
      for (const [start, end] of [
        [0, 5],
        [5, 6],
        [6, 12],
      ] as const) {
        const slice = sliceTokens(text, start, end);
        const step = await cache.decode({ q: slice, k: slice, v: slice, segmentIds: alternatingIds.slice(start, end) });
        expectNear(step.output, sliceTokens(expected.output, start, end), `tokens ${start} to ${end}`);
      }
    },
  ],
  [
    'rejects invalid segment ids by name',
    async (phasor) => {
      const request = { q: ones, k: ones, v: VALUES, mask: 'causal', querySegmentIds: [0, 0, 1, 1], keySegmentIds: [0, 0, 1, 1] };
      const cases: [object, string][] = [
        [{ keySegmentIds: undefined }, 'keySegmentIds: is missing, but querySegmentIds is set; expected both or neither'],
        [{ querySegmentIds: null }, 'querySegmentIds: is missing, but keySegmentIds is set; expected both or neither'],
        [{ keySegmentIds: [0, 0, 1] }, 'keySegmentIds: has 3 entries; expected 4, one per token'],
        [{ keySegmentIds: [0, 0, 1, -1] }, 'keySegmentIds: -1 is not a whole number from 0 to 2147483647'],
        [{ querySegmentIds: [0, 0.5, 1, 1] }, 'querySegmentIds: 0.5 is not a whole number from 0 to 2147483647'],
        [{ keySegmentIds: { shape: [2, 4], data: [0, 0, 0, 0, 0, 0, 0, 0] } }, 'keySegmentIds.shape: 2 x 4 does not match the tokens, 4'],
        [{ positionOffset: 0 }, 'positionOffset: cannot be combined with keySegmentIds, because each text starts at 0; set queryPositions'],
        [{ window: 2, sinkTokens: 1, sinkPositions: 'cache' }, 'sinkPositions: cache cannot be combined with keySegmentIds'],
      ];
      for (const [fields, sentence] of cases) {
        const { message } = await catchError(() => phasor.attention({ ...request, ...fields } as AttentionRequest));
        check(message === sentence, message);
      }
      const layer = { x: { shape: [4, 4], data: new Float32Array(16) }, heads: 1, segmentIds: [0, 0, 1, 1] } as SelfAttentionRequest;
      const normalisedError = await catchError(() => phasor.selfAttention({ ...layer, encoding: 'normalised_index' }));
      check(
        normalisedError.message === 'segmentIds: normalised_index depends on the length of the text, and packed texts differ in length',
        normalisedError.message,
      );
      const decreasingError = await catchError(() => phasor.segmentIds({ cuSeqlens: [0, 3, 2] }));
      check(decreasingError.message === 'cuSeqlens[2]: 2 is below the previous entry, 3', decreasingError.message);
    },
  ],
];
