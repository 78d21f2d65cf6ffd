// Step-by-step computations for figures, in every engine: the terms of a bias, the chain from q.k to a weight, the sinusoids of a table.

import { explainBias, explainSoftmax, sinusoids } from '../../web/engine/analysis.ts';
import type { ExplainBiasRequest, ExplainSoftmaxRequest } from '../../web/engine/types/api.ts';
import { assertClose, assertErrors, type Contract, check, randomTensor, valueAt } from './contract-checks.ts';
import { tensor } from './every-request.ts';

export const stepCases: Contract = [
  [
    'explainBias returns the steps to the bias between a query and a key',
    async (phasor) => {
      const x = await randomTensor(phasor, 1, [2, 6, 8]);
      const alibiEncoding = { id: 'alibi', slopes: [0.5, 0.25] } as const;
      const { names, values, bias, maxAbsDiff } = await explainBias(phasor, {
        q: x,
        k: x,
        encoding: alibiEncoding,
        head: 1,
        query: 5,
        key: 2,
      });
      check(names[0] === 'distance' && names.at(-1) === 'bias', `the steps are ${names.join()}`);
      check(values.shape.join() === `${names.length}` && valueAt(values, 0) === -3, `the values are ${values.data.join()}`);
      assertClose(bias, -0.75, 1e-7, 'the bias');
      check(maxAbsDiff === 0, 'the last step is the bias');
    },
  ],
  [
    'explainSoftmax returns the steps to a row of weights',
    async (phasor) => {
      const q = await randomTensor(phasor, 2, [2, 6, 8]);
      const k = await randomTensor(phasor, 3, [2, 6, 8]);
      const request = { q, k, encoding: 'rope', mask: 'causal' } as const;
      const chain = await explainSoftmax(phasor, { ...request, head: 1, query: 3 });
      const { weights } = await phasor.attention({ ...request, v: k, outputs: ['weights'] });
      for (let key = 0; key < 6; key++)
        assertClose(valueAt(chain.weight, key), valueAt(weights, 1, 3, key) as number, 1e-6, `weight ${key}`);
      check(valueAt(chain.score, 4) === Number.NEGATIVE_INFINITY && valueAt(chain.exponential, 4) === 0, 'the mask hides key 4');
      check(chain.score.data.includes(Math.fround(chain.rowMax)), 'the largest score is one of them');
      assertClose(chain.scale, 1 / Math.sqrt(8), 1e-12, 'the scale');
    },
  ],
  [
    'sinusoids returns the channel pairs and frequencies of a table',
    async (phasor) => {
      const { sine, cosine, frequency } = await sinusoids(phasor, { encoding: { id: 'sinusoidal', layout: 'concatenated' }, dim: 5 });
      check(sine.data.join() === '0,1,2' && cosine.data.join() === '3,4,-1', `channels ${sine.data.join()} and ${cosine.data.join()}`);
      assertClose(valueAt(frequency, 0), 1, 0, 'the first frequency');
    },
  ],
  [
    'explainBias and explainSoftmax reject invalid requests',
    async (phasor) => {
      const q = tensor(2, 3, 4);
      const extremeTensor = { ...tensor(1, 2, 1), data: new Float32Array([1e30, 1e30]) };
      const rope = await phasor.createEncoding({ encoding: 'rope', length: 3, dim: 4, heads: 2 });
      const commonRequest = { q, k: q, encoding: 'alibi', query: 0 };
      const explainBiasWith = (options: object) => () =>
        explainBias(phasor, { ...commonRequest, key: 0, ...options } as ExplainBiasRequest);
      const explainSoftmaxWith = (options: object) => () =>
        explainSoftmax(phasor, { ...commonRequest, ...options } as ExplainSoftmaxRequest);
      await assertErrors([
        ...[explainBiasWith, explainSoftmaxWith].flatMap((explain) => [
          [explain({ q: undefined }), 'invalid_argument', /^q: undefined is not a tensor/] as const,
          [explain({ k: [1, 2] }), 'invalid_argument', /^k: a list of 2 numbers is not a tensor/] as const,
          [explain({ q: tensor(3, 4) }), 'invalid_argument', /^q: has shape 3 x 4; expected heads x tokens x dim$/] as const,
          [explain({ q: tensor(1, 2, 3, 4) }), 'invalid_argument', /^q: has shape 1 x 2 x 3 x 4; expected heads x tokens/] as const,
          [explain({ k: tensor(2, 3, 5) }), 'invalid_argument', /^k: has 5 channels, but q has 4$/] as const,
          [explain({ k: tensor(3, 3, 4) }), 'invalid_argument', /^k: has 3 heads; expected a divisor of 2 \(heads of q\)$/] as const,
          [explain({ query: undefined }), 'invalid_argument', /^query: undefined is not a number$/] as const,
          [explain({ query: 3 }), 'invalid_argument', /^query: 3 is outside 0 to 2$/] as const,
          [explain({ query: 0.5 }), 'invalid_argument', /^query: 0.5 is not a whole number/] as const,
          [explain({ head: 2 }), 'invalid_argument', /^head: 2 is outside 0 to 1$/] as const,
          [explain({ head: '0' }), 'invalid_argument', /^head: "0" is not a number$/] as const,
          [explain({ mask: 'casual' }), 'invalid_argument', /^mask: "casual" is not one of none, causal$/] as const,
          [explain({ window: 0 }), 'invalid_argument', /^window: 0 is outside/] as const,
          [explain({ scale: Number.NaN }), 'invalid_argument', /^scale: NaN is not a finite number$/] as const,
          [explain({ keyMask: [1, 1] }), 'invalid_argument', /^keyMask: has 2 entries; expected 3, one per key$/] as const,
          [
            explain({ queryPositions: [0, 1, 2] }),
            'invalid_argument',
            /^keyPositions: is missing, but queryPositions is set; expected both or neither$/,
          ] as const,
          [explain({ encoding: 'alibbi' }), 'unknown_name', /^encoding: "alibbi" is unknown/] as const,
          [explain({ encoding: { id: 'alibi', slope: 1 } }), 'unknown_name', /^slope: is not a parameter of alibi/] as const,
          [explain({ encoding: 'sinusoidal' }), 'invalid_argument', /^encoding: sinusoidal is added to the embeddings/] as const,
          [explain({ encoding: rope }), 'invalid_argument', /^encoding: an encoding handle is not the id of an encoding/] as const,
          [explain({ v: q }), 'unknown_name', /^v is not a field of /] as const,
          [explain({ outputs: ['weights'] }), 'unknown_name', /^outputs is not a field of /] as const,
          [explain({ query: undefined, qurey: 1 }), 'unknown_name', /^qurey is not a field of .*; did you mean query\?$/] as const,
        ]),
        [explainBiasWith({ key: undefined }), 'invalid_argument', /^key: undefined is not a number$/],
        [explainBiasWith({ key: -1 }), 'invalid_argument', /^key: -1 is outside 0 to 2$/],
        [explainBiasWith({ encoding: undefined }), 'invalid_argument', /^encoding: none has no step-by-step explanation$/],
        [explainBiasWith({ encoding: 'cope' }), 'invalid_argument', /^encoding: cope has no step-by-step explanation/],
        [explainSoftmaxWith({ key: 0 }), 'unknown_name', /^key is not a field of explainSoftmax$/],
        [
          explainSoftmaxWith({ q: extremeTensor, k: extremeTensor, encoding: undefined }),
          'invalid_argument',
          /^q: a product q.k exceeds the float32 maximum/,
        ],
        [
          explainSoftmaxWith({ q: extremeTensor, k: extremeTensor, encoding: undefined, scale: 1e-60 }),
          'invalid_argument',
          /^q: a product q.k exceeds the float32 maximum/,
        ],
      ]);
      rope.dispose();
    },
  ],
  [
    'sinusoids rejects tables that are not sinusoidal, and invalid requests',
    async (phasor) => {
      const preparedEncoding = await phasor.createEncoding({ encoding: 'sinusoidal', length: 3, dim: 4 });
      const sinusoidsWith = (options: object) => () => sinusoids(phasor, { encoding: 'sinusoidal', dim: 4, ...options } as never);
      const steepEncoding = { id: 'fourier', frequency_matrix: { shape: [1, 1], data: [3e38] }, sigma: 1000 };
      await assertErrors([
        [sinusoidsWith({ encoding: undefined }), 'invalid_argument', /^encoding: undefined is not the id of an encoding/],
        [sinusoidsWith({ encoding: 'sinusodial' }), 'unknown_name', /^encoding: "sinusodial" is unknown/],
        [sinusoidsWith({ encoding: 'learned' }), 'invalid_argument', /^encoding: the table of learned is not sinusoidal$/],
        [
          sinusoidsWith({ encoding: 'alibi' }),
          'invalid_argument',
          /^encoding: alibi has no table; its injection is score, so call attentionBias$/,
        ],
        [sinusoidsWith({ encoding: preparedEncoding }), 'invalid_argument', /^encoding: an encoding handle is not the id of an encoding/],
        [sinusoidsWith({ encoding: steepEncoding }), 'invalid_argument', /^encoding: a frequency of fourier exceeds the float32 maximum/],
        [sinusoidsWith({ dim: undefined }), 'invalid_argument', /^dim: undefined is not a number$/],
        [sinusoidsWith({ dim: 0 }), 'invalid_argument', /^dim: 0 is outside/],
        [sinusoidsWith({ dim: 1.5 }), 'invalid_argument', /^dim: 1.5 is not a whole number/],
        [sinusoidsWith({ length: 4 }), 'unknown_name', /^length is not a field of sinusoids$/],
      ]);
      preparedEncoding.dispose();
    },
  ],
];
