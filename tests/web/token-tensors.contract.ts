// Token tensors in every engine: arguments beside q, k and v, storage in caches, and errors.

import type { Tensor } from '../../web/engine/types/api.ts';
import { assertClose, type Contract, catchError, check, randomTensor, sliceTokens } from './contract-checks.ts';

const gatesOf = (drawn: Tensor): Tensor => ({ shape: drawn.shape, data: drawn.data.map((value) => -Math.abs(value)) });

export const tokenTensorCases: Contract = [
  [
    'accepts token tensors with any strides, and returns their gradients',
    async (phasor) => {
      const [q, k, v, drawn] = await Promise.all([1, 2, 3, 4].map((seed) => randomTensor(phasor, seed, seed < 4 ? [2, 7, 4] : [2, 7])));
      if (!q || !k || !v || !drawn) throw new Error('no tensors');
      const log_gates = gatesOf(drawn);
      const request = { q, k, v, mask: 'causal', encoding: 'forgetting' } as const;
      const { output, bias } = await phasor.attention({ ...request, tokenTensors: { log_gates }, outputs: ['bias'] });
      assertClose(bias.data[2 * 7], (log_gates.data[1] as number) + (log_gates.data[2] as number), 1e-6, 'what two tokens forget');
      const rotated = Float32Array.from({ length: 14 }, (_, i) => log_gates.data[(i % 2) * 7 + (i >> 1)] as number);
      const view = { shape: [2, 7], strides: [1, 2], data: rotated };
      const again = await phasor.attention({ ...request, tokenTensors: { log_gates: view } });
      check(again.output.data.join() === output.data.join(), 'a view has the same numbers');
      const gradients = await phasor.attentionBackward({ ...request, tokenTensors: { log_gates }, dOutput: output });
      check(gradients.tokenTensors.log_gates?.shape.join() === '2,7', 'the gradient has the shape of the gates');
      const without = await phasor.attentionBackward({ q, k, v, dOutput: output });
      check(Object.keys(without.tokenTensors).length === 0, 'nothing was brought');
    },
  ],
  [
    'stores token tensors in a cache',
    async (phasor) => {
      const [q, w, drawn] = await Promise.all([1, 2, 3].map((seed) => randomTensor(phasor, seed, seed < 3 ? [2, 9, 4] : [2, 9])));
      if (!q || !w || !drawn) throw new Error('no tensors');
      const beta = { shape: drawn.shape, data: drawn.data.map(Math.abs) };
      const all = { w, beta };
      const whole = await phasor.attention({ q, k: q, v: q, mask: 'causal', encoding: 'path', tokenTensors: all });
      const cache = await phasor.createCache({ heads: 2, headDim: 4, maxLength: 9, encoding: 'path' });
      const flat = (t: Tensor, from: number, to: number): Tensor => ({
        shape: [2, to - from],
        data: Float32Array.from([0, 1].flatMap((head) => [...t.data.subarray(head * 9 + from, head * 9 + to)])),
      });
      for (const [from, to] of [
        [0, 4],
        [4, 5],
        [5, 9],
      ] as const) {
        const part = sliceTokens(q, from, to);
        const tokenTensors = { w: sliceTokens(w, from, to), beta: flat(beta, from, to) };
        const step = await cache.decode({ q: part, k: part, v: part, tokenTensors });
        const rows = sliceTokens(whole.output, from, to);
        rows.data.forEach((value, i) => {
          assertClose(step.output.data[i], value, 1e-5, `row ${from} on`);
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
      const text = async (tokenTensors: object, more: object = {}) =>
        (await catchError(() => phasor.attention({ ...request, tokenTensors, ...more } as never))).message;
      const zeros = (...shape: number[]) => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b, 1)) });
      const expected = async (got: Promise<string>, sentence: string) => check((await got) === sentence, await got);
      await expected(text({}), 'log_gates: is missing; forgetting expects it in tokenTensors with shape 1 x 3');
      await expected(text({ gates: zeros(1, 3) }), 'gates: is not a token tensor of forgetting; expected one of log_gates');
      await expected(text({ log_gates: zeros(3, 1) }), 'log_gates: has shape 3 x 1; expected 1 x 3 (heads, tokens)');
      await expected(text({ log_gates: { shape: [1, 3], data: [0, 1, 0] } }), 'log_gates[1]: 1 is too large; expected at most 0');
      await expected(
        text({ log_gates: zeros(1, 3) }, { mask: 'none' }),
        'mask: "none" lets queries attend to later keys, for which forgetting is not defined; expected "causal"',
      );
      await expected(text({ log_gates: zeros(1, 3) }, { encoding: 'rope' }), 'log_gates: rope has no token tensors');
    },
  ],
  [
    'returns the distances of rope',
    async (phasor) => {
      const positions = { dim: 8, queryPositions: [0, 5, 9], keyPositions: [0, 4, 9] };
      const plain = await phasor.ropeDistances({ encoding: 'rope', ...positions });
      check(plain.data.join() === '0,0,0,5,1,0,9,5,0', plain.data.join());
      const moved = await phasor.ropeDistances({ encoding: { id: 'rope', remap: 'leaky_rerope', window: 3, leak: 4 }, ...positions });
      check(moved.data.join() === '0,0,0,3.5,1,0,4.5,3.5,0', moved.data.join());
      const other = await catchError(() => phasor.ropeDistances({ encoding: 'xpos', ...positions }));
      check(other.message === 'encoding: xpos does not define distances; expected rope', other.message);
    },
  ],
];
