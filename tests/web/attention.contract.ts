// What every engine does beyond the forward pass of attention: maps, gradients, decoding.

import type { AttentionRequest, Tensor } from '../../web/engine/types.ts';
import { type AnyPhasor, at, check, close, failure } from './contract-checks.ts';

const part = (t: Tensor, first: number, last: number): Tensor => {
  const [heads = 0, tokens = 0, width = 0] = t.shape;
  const rows = Array.from({ length: heads }, (_, h) => t.data.subarray((h * tokens + first) * width, (h * tokens + last) * width));
  return { shape: [heads, last - first, width], data: Float32Array.from(rows.flatMap((row) => [...row])) };
};

const random = (phasor: AnyPhasor, seed: number, shape: number[]) => phasor.gaussian({ seed, shape });

/** The sum of a times b, in double. */
const inner = (a: Tensor, b: Tensor) => a.data.reduce((sum, value, i) => sum + value * (b.data[i] as number), 0);

const moved = (t: Tensor, by: Tensor, step: number): Tensor => ({
  shape: t.shape,
  data: t.data.map((x, i) => x + step * (by.data[i] as number)),
});

export const attentionCases: [string, (phasor: AnyPhasor) => Promise<void>][] = [
  [
    'pools the weights into a map',
    async (phasor) => {
      const [q, k, v] = await Promise.all([1, 2, 3].map((seed) => random(phasor, seed, [2, 50, 8])));
      const request = { q, k, v, encoding: 'alibi', mask: 'causal' } as AttentionRequest;
      const { weights } = await phasor.attention({ ...request, want: ['weights'] });
      const { map } = await phasor.attention({ ...request, want: ['map'], map: { size: 8 } });
      check(map?.mean.shape.join() === '2,8,8' && map.max.shape.join() === '2,8,8', `the shape is ${map?.mean.shape.join()}`);
      for (const [head, row, column] of [
        [0, 0, 0],
        [1, 5, 3],
        [0, 7, 7],
        [1, 2, 6],
      ] as const) {
        let sum = 0;
        let top = 0;
        let count = 0;
        for (let i = 7 * row; i < Math.min(50, 7 * row + 7); i++) {
          for (let j = 7 * column; j < Math.min(50, 7 * column + 7); j++) {
            const weight = at(weights as Tensor, head, i, j) as number;
            sum += weight;
            top = Math.max(top, weight);
            count += 1;
          }
        }
        close(at(map.mean, head, row, column), sum / count, 1e-6, `the mean of cell ${row}, ${column}`);
        close(at(map.max, head, row, column), top, 1e-6, `the largest of cell ${row}, ${column}`);
      }
      const exact = await phasor.attention({ ...request, want: ['map'], map: { rows: [10, 14], columns: [3, 9] } });
      check(exact.map?.max.shape.join() === '2,4,6', 'a part of at most `size` cells is shown weight by weight');
      close(at(exact.map.max, 1, 2, 5), at(weights as Tensor, 1, 12, 8) as number, 1e-6, 'a weight of the part');
      close(at(exact.map.mean, 1, 2, 5), at(weights as Tensor, 1, 12, 8) as number, 1e-6, 'a mean of one weight');
    },
  ],
  [
    'pools rows that are longer than a tile of keys',
    async (phasor) => {
      const [q, k, v] = await Promise.all([4, 5, 6].map((seed) => random(phasor, seed, [1, 700, 4])));
      const request = { q, k, v, mask: 'causal' } as AttentionRequest;
      const { map } = await phasor.attention({ ...request, want: ['map'], map: { cell: [100, 70] } });
      const { weights } = await phasor.attention({ ...request, want: ['weights'] });
      check(map?.mean.shape.join() === '1,7,10', `the shape is ${map?.mean.shape.join()}`);
      for (let row = 0; row < 7; row++) {
        for (let column = 0; column < 10; column++) {
          let sum = 0;
          let top = 0;
          for (let i = 100 * row; i < 100 * row + 100; i++) {
            for (let j = 70 * column; j < 70 * column + 70; j++) {
              sum += at(weights as Tensor, 0, i, j) as number;
              top = Math.max(top, at(weights as Tensor, 0, i, j) as number);
            }
          }
          close(at(map.mean, 0, row, column), sum / 7000, 1e-6, `the mean of cell ${row}, ${column}`);
          close(at(map.max, 0, row, column), top, 2e-6, `the largest of cell ${row}, ${column}`);
        }
      }
    },
  ],
  [
    'refuses a map of what is not there',
    async (phasor) => {
      const x = { shape: [1, 3, 2], data: new Float32Array(6) };
      const ask = (map: object) => failure(() => phasor.attention({ q: x, k: x, v: x, want: ['map'], map }));
      check((await ask({ rows: [2, 5] })).message === 'map.rows: 2 to 5 is not a part of 0 to 3', (await ask({ rows: [2, 5] })).message);
      check((await ask({ columns: [1] })).message === 'map.columns: [from, to] is needed', (await ask({ columns: [1] })).message);
      check((await ask({ size: 0 })).message.startsWith('map.size: 0'), (await ask({ size: 0 })).message);
      check((await ask({ size: 2, cell: [1, 1] })).message.includes('beside map.cell'), 'size and cell say the same');
      // Half of it, a share of a pool of two, cannot be held either.
      const long = { shape: [1, 60000, 1], data: new Float32Array(60000) };
      const huge = await failure(() => phasor.attention({ q: long, k: long, v: long, want: ['map'], map: { cell: [1, 1] } }));
      check(huge.code === 'resource_exhausted' && huge.message.startsWith('map: 1 x 60000 x 60000 numbers need'), huge.message);
    },
  ],
  [
    'goes the way back through attention',
    async (phasor) => {
      const shape = [2, 9, 6];
      const [q, k, v, dOutput, direction] = await Promise.all([1, 2, 3, 4, 5].map((seed) => random(phasor, seed, shape)));
      if (!q || !k || !v || !dOutput || !direction) throw new Error('no tensors');
      for (const encoding of ['none', 'rope', 't5', 'shaw', 'kerple', 'cope']) {
        const request = { q, k, v, encoding: { id: encoding }, mask: 'causal' } as const;
        const gradients = await phasor.attentionGradient({ ...request, dOutput });
        for (const [name, gradient] of [
          ['q', gradients.dq],
          ['k', gradients.dk],
          ['v', gradients.dv],
        ] as const) {
          const loss = async (step: number) =>
            inner((await phasor.attention({ ...request, [name]: moved(request[name], direction, step) })).output, dOutput);
          const slope = ((await loss(1 / 256)) - (await loss(-1 / 256))) * 128;
          close(inner(gradient, direction), slope, 5e-3, `${encoding}: d${name} along a direction`);
        }
      }
      const { parameters } = await phasor.attentionGradient({ q, k, v, dOutput, encoding: 't5' });
      check(parameters.table?.shape.join() === '32,2', 'the gradient of the table of T5 has its shape');
      const wrong = await failure(() => phasor.attentionGradient({ q, k, v, dOutput: part(dOutput, 0, 3) }));
      check(wrong.message === "dOutput: its shape is 2 x 3 x 6, but the output's is 2 x 9 x 6", wrong.message);
    },
  ],
  [
    'goes the way back through a layer',
    async (phasor) => {
      const [x, dOutput, direction] = await Promise.all([1, 2, 3].map((seed) => random(phasor, seed, [7, 8])));
      if (!x || !dOutput || !direction) throw new Error('no tensors');
      const request = { x, heads: 2, encoding: { id: 'learned', seed: 3 }, projections: 'orthogonal', seed: 5 } as const;
      const { dx, parameters } = await phasor.layerGradient({ ...request, dOutput });
      const loss = async (step: number) => inner((await phasor.layer({ ...request, x: moved(x, direction, step) })).output, dOutput);
      close(inner(dx, direction), ((await loss(1 / 256)) - (await loss(-1 / 256))) * 128, 5e-3, 'dx along a direction');
      // A table that is added gets what the embeddings get.
      close(parameters.table?.data[9], dx.data[9] as number, 1e-6, 'the gradient of the table');
    },
  ],
  [
    'decodes token by token what attention gives at once',
    async (phasor) => {
      for (const encoding of ['none', 'rope', 'alibi', 't5', 'shaw', 'cope', 'transformer_xl']) {
        const shape = [4, 30, 6];
        const [q, k, v] = await Promise.all([random(phasor, 1, shape), random(phasor, 2, [2, 30, 6]), random(phasor, 3, [2, 30, 5])]);
        const choice = {
          id: encoding,
          ...(encoding === 'transformer_xl' || encoding === 't5' || encoding === 'shaw' || encoding === 'cope' ? { seed: 2 } : {}),
        };
        // The cache makes its encoding for maxLength tokens, so the whole text has as many here.
        const whole = await phasor.attention({ q, k, v, encoding: choice, mask: 'causal', window: 12 });
        const { cache } = await phasor.openCache({
          heads: 4,
          kvHeads: 2,
          width: 6,
          valueWidth: 5,
          maxLength: 30,
          encoding: choice,
          window: 12,
        });
        let length = 0;
        for (const count of [5, 1, 1, 8, 15]) {
          const step = await phasor.decode({
            cache,
            q: part(q, length, length + count),
            k: part(k, length, length + count),
            v: part(v, length, length + count),
          });
          const expected = part(whole.output, length, length + count);
          length += count;
          check(step.length === length, `the cache holds ${step.length} tokens instead of ${length}`);
          step.output.data.forEach((value, i) => {
            close(value, expected.data[i] as number, 2e-6, `${encoding}: output ${i} of the step to ${length}`);
          });
        }
        const full = await failure(() => phasor.decode({ cache, q: part(q, 0, 1), k: part(k, 0, 1), v: part(v, 0, 1) }));
        check(full.message === 'k: 1 more tokens make 31, but maxLength is 30', full.message);
        await phasor.closeCache({ cache });
        const closed = await failure(() => phasor.closeCache({ cache }));
        check(closed.message === `cache: ${cache} is not open`, closed.message);
      }
    },
  ],
];
