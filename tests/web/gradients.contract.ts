// Compares the backward passes of attention and of a layer with finite differences of the forward pass.

import type { Tensor } from '../../web/engine/types/api.ts';
import { assertClose, type Contract, catchError, check, randomTensor, sliceTokens } from './contract-checks.ts';

/** The inner product, accumulated in double. */
const innerProduct = (a: Tensor, b: Tensor) => a.data.reduce((sum, value, i) => sum + value * (b.data[i] as number), 0);

const addScaled = (t: Tensor, direction: Tensor, step: number): Tensor => ({
  shape: t.shape,
  data: t.data.map((x, i) => x + step * (direction.data[i] as number)),
});

export const gradientCases: Contract = [
  [
    'computes the backward pass of attention',
    async (phasor) => {
      const shape = [2, 9, 6];
      const [q, k, v, dOutput, direction] = await Promise.all([1, 2, 3, 4, 5].map((seed) => randomTensor(phasor, seed, shape)));
      if (!q || !k || !v || !dOutput || !direction) throw new Error('no tensors');
      for (const encoding of ['none', 'rope', 't5', 'shaw', 'kerple', 'cope']) {
        const request = { q, k, v, encoding: { id: encoding }, mask: 'causal' } as const;
        const gradients = await phasor.attentionBackward({ ...request, dOutput });
        for (const [name, gradient] of [
          ['q', gradients.dq],
          ['k', gradients.dk],
          ['v', gradients.dv],
        ] as const) {
          const loss = async (step: number) =>
            innerProduct((await phasor.attention({ ...request, [name]: addScaled(request[name], direction, step) })).output, dOutput);
          const expected = ((await loss(1 / 256)) - (await loss(-1 / 256))) * 128;
          assertClose(innerProduct(gradient, direction), expected, 5e-3, `${encoding}: d${name} along a direction`);
        }
      }
      const { parameters } = await phasor.attentionBackward({ q, k, v, dOutput, encoding: 't5' });
      check(parameters.table?.shape.join() === '32,2', 'the gradient of the table of T5 has its shape');
      const error = await catchError(() => phasor.attentionBackward({ q, k, v, dOutput: sliceTokens(dOutput, 0, 3) }));
      check(error.message === 'dOutput: has shape 2 x 3 x 6; expected 2 x 9 x 6, the shape of the output', error.message);
    },
  ],
  [
    'computes the backward pass of a layer',
    async (phasor) => {
      const [x, dOutput, direction] = await Promise.all([1, 2, 3].map((seed) => randomTensor(phasor, seed, [7, 8])));
      if (!x || !dOutput || !direction) throw new Error('no tensors');
      const request = { x, heads: 2, encoding: { id: 'learned', seed: 3 }, projections: 'orthogonal', seed: 5 } as const;
      const { dx, parameters } = await phasor.selfAttentionBackward({ ...request, dOutput });
      const loss = async (step: number) =>
        innerProduct((await phasor.selfAttention({ ...request, x: addScaled(x, direction, step) })).output, dOutput);
      assertClose(innerProduct(dx, direction), ((await loss(1 / 256)) - (await loss(-1 / 256))) * 128, 5e-3, 'dx along a direction');
      // An added table has the same gradient as the embeddings.
      assertClose(parameters.table?.data[9], dx.data[9] as number, 1e-6, 'the gradient of the table');
    },
  ],
];
