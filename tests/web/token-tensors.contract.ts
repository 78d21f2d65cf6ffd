// Token tensors in every engine: arguments beside q, k and v, storage in caches, and errors.

import type { Tensor } from '../../web/engine/types/api.ts';
import { assertClose, type Contract, catchError, check, randomTensor, sliceTokens } from './contract-checks.ts';

const gatesOf = (values: Tensor): Tensor => ({ shape: values.shape, data: values.data.map((value) => -Math.abs(value)) });

export const tokenTensorCases: Contract = [
  [
    'accepts token tensors with any strides, and returns their gradients',
    async (phasor) => {
      const [q, k, v, randomGates] = await Promise.all(
        [1, 2, 3, 4].map((seed) => randomTensor(phasor, seed, seed < 4 ? [2, 7, 4] : [2, 7])),
      );
      if (!q || !k || !v || !randomGates) throw new Error('no tensors');
      const log_gates = gatesOf(randomGates);
      const request = { q, k, v, mask: 'causal', encoding: 'forgetting' } as const;
      const { output, bias } = await phasor.attention({ ...request, tokenTensors: { log_gates }, outputs: ['bias'] });
      assertClose(bias.data[2 * 7], (log_gates.data[1] as number) + (log_gates.data[2] as number), 1e-6, 'what two tokens forget');
      const rotated = Float32Array.from({ length: 14 }, (_, i) => log_gates.data[(i % 2) * 7 + (i >> 1)] as number);
      const view = { shape: [2, 7], strides: [1, 2], data: rotated };
      const viewOutput = await phasor.attention({ ...request, tokenTensors: { log_gates: view } });
      check(viewOutput.output.data.join() === output.data.join(), 'a view has the same numbers');
      const gradients = await phasor.attentionBackward({ ...request, tokenTensors: { log_gates }, dOutput: output });
      check(gradients.tokenTensors.log_gates?.shape.join() === '2,7', 'the gradient has the shape of the gates');
      const plainGradients = await phasor.attentionBackward({ q, k, v, dOutput: output });
      check(Object.keys(plainGradients.tokenTensors).length === 0, 'nothing was brought');
    },
  ],
  [
    'stores token tensors in a cache',
    async (phasor) => {
      const [q, w, randomBeta] = await Promise.all([1, 2, 3].map((seed) => randomTensor(phasor, seed, seed < 3 ? [2, 9, 4] : [2, 9])));
      if (!q || !w || !randomBeta) throw new Error('no tensors');
      const beta = { shape: randomBeta.shape, data: randomBeta.data.map(Math.abs) };
      const allTensors = { w, beta };
      const fullOutput = await phasor.attention({ q, k: q, v: q, mask: 'causal', encoding: 'path', tokenTensors: allTensors });
      const cache = await phasor.createCache({ heads: 2, headDim: 4, maxLength: 9, encoding: 'path' });
      const sliceFlat = (t: Tensor, start: number, end: number): Tensor => ({
        shape: [2, end - start],
        data: Float32Array.from([0, 1].flatMap((head) => [...t.data.subarray(head * 9 + start, head * 9 + end)])),
      });
      for (const [start, end] of [
        [0, 4],
        [4, 5],
        [5, 9],
      ] as const) {
        const slice = sliceTokens(q, start, end);
        const tokenTensors = { w: sliceTokens(w, start, end), beta: sliceFlat(beta, start, end) };
        const step = await cache.decode({ q: slice, k: slice, v: slice, tokenTensors });
        const rows = sliceTokens(fullOutput.output, start, end);
        rows.data.forEach((value, i) => {
          assertClose(step.output.data[i], value, 1e-5, `row ${start} on`);
        });
      }
      await cache.dispose();
    },
  ],
  [
    'rejects token tensors that are missing, unknown, or of another shape or range',
    async (phasor) => {
      const x = await randomTensor(phasor, 1, [1, 3, 4]);
      const request = { q: x, k: x, v: x, mask: 'causal', encoding: 'forgetting' } as const;
      const attentionMessage = async (tokenTensors: object, options: object = {}) =>
        (await catchError(() => phasor.attention({ ...request, tokenTensors, ...options } as never))).message;
      const zeros = (...shape: number[]) => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b, 1)) });
      const expectMessage = async (actual: Promise<string>, sentence: string) => check((await actual) === sentence, await actual);
      await expectMessage(attentionMessage({}), 'log_gates: is missing; forgetting expects it in tokenTensors with shape 1 x 3');
      await expectMessage(
        attentionMessage({ gates: zeros(1, 3) }),
        'gates: is not a token tensor of forgetting; expected one of log_gates',
      );
      await expectMessage(attentionMessage({ log_gates: zeros(3, 1) }), 'log_gates: has shape 3 x 1; expected 1 x 3 (heads, tokens)');
      await expectMessage(
        attentionMessage({ log_gates: { shape: [1, 3], data: [0, 1, 0] } }),
        'log_gates[1]: 1 is too large; expected at most 0',
      );
      await expectMessage(
        attentionMessage({ log_gates: zeros(1, 3) }, { mask: 'none' }),
        'mask: "none" lets queries attend to later keys, for which forgetting is not defined; expected "causal"',
      );
      await expectMessage(attentionMessage({ log_gates: zeros(1, 3) }, { encoding: 'rope' }), 'log_gates: rope has no token tensors');
    },
  ],
  [
    'returns the distances of rope',
    async (phasor) => {
      const positions = { dim: 8, queryPositions: [0, 5, 9], keyPositions: [0, 4, 9] };
      const plainDistances = await phasor.ropeDistances({ encoding: 'rope', ...positions });
      check(plainDistances.data.join() === '0,0,0,5,1,0,9,5,0', plainDistances.data.join());
      const remappedDistances = await phasor.ropeDistances({
        encoding: { id: 'rope', remap: 'leaky_rerope', window: 3, leak: 4 },
        ...positions,
      });
      check(remappedDistances.data.join() === '0,0,0,3.5,1,0,4.5,3.5,0', remappedDistances.data.join());
      const xposError = await catchError(() => phasor.ropeDistances({ encoding: 'xpos', ...positions }));
      check(xposError.message === 'encoding: xpos does not define distances; expected rope', xposError.message);
    },
  ],
];
