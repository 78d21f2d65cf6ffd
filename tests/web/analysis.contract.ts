// Measurements in every engine: permutation equivariance, similarity, and the matrices of rotations and shifts.

import {
  distanceProfile,
  linearProbe,
  permutationError,
  permutationTest,
  principalComponents,
  relativePositionError,
  rotationMatrix,
  shiftError,
  shiftMatrix,
  similarity,
  spectrum,
  tableStatistics,
} from '../../web/engine/analysis.ts';
import type { Tensor } from '../../web/engine/index.ts';
import { assertClose, assertSame, type Contract, catchError, check, valueAt } from './contract-checks.ts';

const permuteRows = ({ shape, data }: Tensor, order: readonly number[]): Tensor => {
  const width = shape[1] ?? 0;
  return { shape, data: Float32Array.from(order.flatMap((p) => [...data.subarray(p * width, (p + 1) * width)])) };
};

export const analysisCases: Contract = [
  [
    'shows that attention without positions is permutation equivariant',
    async (phasor) => {
      const x = await phasor.randomNormal({ seed: 7, shape: [9, 16] });
      const order = [3, 1, 4, 0, 5, 8, 2, 6, 7];
      const permuted = permuteRows(x, order);
      const error = async (options: object) => {
        const request = { heads: 4, projections: 'orthogonal', seed: 3, ...options } as const;
        const before = (await phasor.selfAttention({ ...request, x })).output;
        const after = (await phasor.selfAttention({ ...request, x: permuted })).output;
        return (await permutationError(phasor, { before, after, order })).maxAbsDiff;
      };
      const baseline = await error({});
      check(baseline < 2e-6, `outputs are only permuted: ${baseline}`);
      for (const options of [{ encoding: 'sinusoidal' }, { encoding: 'rope' }, { encoding: 'alibi' }, { mask: 'causal' }]) {
        const maxAbsDiff = await error(options);
        check(maxAbsDiff > 0.01, `order matters with ${JSON.stringify(options)}: ${maxAbsDiff}`);
      }
    },
  ],
  [
    'permutes the tokens of a layer in one call, and returns the weights of one head',
    async (phasor) => {
      const [length, head] = [7, 2];
      const x = await phasor.randomNormal({ seed: 11, shape: [length, 12] });
      const order = [4, 1, 6, 0, 5, 3, 2];
      const permuted = permuteRows(x, order);
      for (const encoding of ['none', 'rope', 'alibi', 'cope']) {
        const outputs = ['weights', 'scores', 'bias'] as const;
        const request = { heads: 3, projections: 'orthogonal', seed: 3, encoding, mask: 'causal', outputs } as const;
        const before = await phasor.selfAttention({ ...request, x });
        const after = await phasor.selfAttention({ ...request, x: permuted });
        const error = await permutationError(phasor, { before: before.output, after: after.output, order });
        const result = await permutationTest(phasor, { ...request, x, order, head });
        assertSame(result.before, before.output, 'the outputs before');
        assertSame(result.output, after.output, 'the outputs of the reordered tokens');
        assertSame(result.perToken, error.perToken, 'the difference of each token');
        check(result.maxAbsDiff === error.maxAbsDiff, `${result.maxAbsDiff} is ${error.maxAbsDiff}`);
        for (const name of outputs) {
          const actual = after[name] as Tensor;
          const part = { shape: [1, length, length], data: actual.data.subarray(head * length * length, (head + 1) * length * length) };
          assertSame(result[name] as Tensor, part, `${name} of one head`);
        }
      }
      for (const [options, expected] of [
        [{ head: 3 }, 'head: 3 is outside 0 to 2'],
        [{ order: [0, 0] }, 'order: has 2 entries; expected 7, one per token'],
        [{ order: undefined }, 'order: undefined is not an array of numbers'],
      ] as const) {
        const { message } = await catchError(() => permutationTest(phasor, { x, heads: 3, order, ...options } as never));
        check(message === expected, message);
      }
    },
  ],
  [
    'computes a single head of a layer if the output is omitted',
    async (phasor) => {
      const x = await phasor.randomNormal({ seed: 4, shape: [9, 8] });
      const request = { x, heads: 4, encoding: 'alibi', mask: 'causal', head: 2, outputs: ['weights', 'scores'] } as const;
      const expected = await phasor.selfAttention(request);
      const part = await phasor.selfAttention({ ...request, computeOutput: false });
      assertSame(part.weights, expected.weights, 'the weights');
      assertSame(part.scores, expected.scores, 'the scores');
      check(Object.keys(part).join() === 'weights,scores', `it has ${Object.keys(part).join()}`);
      check('output' in (await phasor.selfAttention({ ...request, computeOutput: true })), 'the output is returned on request');
      const messageOf = async (options: object) => (await catchError(() => phasor.selfAttention({ ...request, ...options }))).message;
      const message = await messageOf({ computeOutput: 0 });
      check(message === 'computeOutput: 0 is not true or false', message);
      const reason = await messageOf({ computeOutput: false, out: { output: new Float32Array(72) } });
      check(reason === 'out.output: is not a result; expected weights, scores', reason);
      const error = await catchError(() =>
        permutationTest(phasor, { ...request, order: [8, 7, 6, 5, 4, 3, 2, 1, 0], computeOutput: false } as never),
      );
      check(error.message === 'computeOutput is not a field of permutationTest', error.message);
    },
  ],
  [
    'measures similarity and samples reproducibly from a seed',
    async (phasor) => {
      const table = await phasor.positionTable({ encoding: 'sinusoidal', length: 5, dim: 8 });
      const cosine = await similarity(phasor, { table });
      assertClose(valueAt(cosine, 2, 2), 1, 1e-6, 'a row is similar to itself');
      assertClose(valueAt(cosine, 0, 1), valueAt(cosine, 3, 4), 1e-6, 'similarity depends on the distance');
      const first = await phasor.randomNormal({ seed: 5, shape: [2, 3] });
      const second = await phasor.randomNormal({ seed: 5, shape: [2, 3] });
      check(
        first.data.every((value, i) => value === second.data[i]),
        'the same seed, the same numbers',
      );
    },
  ],
  [
    'measures a table: statistics, distances, spectrum, principal components and a linear probe',
    async (phasor) => {
      const table = { shape: [3, 2], data: new Float32Array([3, 4, 3, 4.5, -12, 5]) };
      const statistics = await tableStatistics(phasor, { table });
      check(statistics.closestPair.join() === '0,1' && statistics.closestDistance === 0.5, `closest: ${statistics.closestPair.join()}`);
      check(statistics.maxAbs === 12 && statistics.minNorm === 5 && statistics.maxNorm === 13, `maxAbs: ${statistics.maxAbs}`);
      assertClose(statistics.meanNorm, (5 + Math.hypot(3, 4.5) + 13) / 3, 1e-7, 'the mean norm');

      const matrix = { shape: [2, 2], data: new Float32Array([1, 7, 2, 5]) };
      const profile = await distanceProfile(phasor, { matrix });
      check(profile.mean.data.join() === '2,3,7', `mean: ${profile.mean.data.join()}`);
      check(profile.min.data.join() === '2,1,7' && profile.max.data.join() === '2,5,7', `max: ${profile.max.data.join()}`);
      check(profile.spread === 4, `spread: ${profile.spread}`);

      const waves = await phasor.positionTable({ encoding: 'sinusoidal', length: 8, dim: 4 });
      const { power, wavelength } = await spectrum(phasor, { table: waves });
      check(power.shape.join() === '4,4', `power: ${power.shape.join()}`);
      for (const [bin, tokens] of [8, 4, 8 / 3, 2].entries())
        assertClose(wavelength.data[bin], tokens, 1e-6, `the wavelength of bin ${bin}`);

      const line = { shape: [8, 2], data: Float32Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? i / 2 : 1)) };
      const { coordinates, explainedVarianceRatio } = await principalComponents(phasor, { table: line, components: 1 });
      assertClose(valueAt(explainedVarianceRatio, 0), 1, 1e-6, 'one component explains a line');
      assertClose(valueAt(coordinates, 7, 0), 3.5, 1e-6, 'rows are projected relative to their mean');
      const probe = await linearProbe(phasor, { table: line });
      check(probe.predictions.shape.join() === '8', `predictions: ${probe.predictions.shape.join()}`);
      assertClose(probe.rSquared, 1, 1e-6, 'positions on a line are predicted');
      assertClose(probe.meanAbsoluteError, 0, 1e-3, 'without error');
    },
  ],
  [
    'returns rotations and shifts as matrices',
    async (phasor) => {
      const rotation = await rotationMatrix(phasor, { encoding: { id: 'rope', layout: 'half_split' }, position: 0.5, dim: 4 });
      check(rotation.shape.join() === '4,4', `its shape is ${rotation.shape.join()}`);
      assertClose(valueAt(rotation, 0, 0), Math.cos(0.5), 1e-6, 'cos 0.5');
      assertClose(valueAt(rotation, 2, 0), Math.sin(0.5), 1e-6, 'sin 0.5, half a head further');
      const patch = await rotationMatrix(phasor, { encoding: 'rope_2d', position: [0, 0], dim: 4 });
      check(
        patch.data.every((value, i) => value === (i % 5 === 0 ? 1 : 0)),
        'the origin is the identity',
      );
      const frequencies = [1, 0.01];
      const shift = await shiftMatrix(phasor, { frequencies, k: 3 });
      assertClose(valueAt(shift, 0, 1), Math.sin(3), 1e-6, 'sin 3');
      const table = await phasor.positionTable({ encoding: 'sinusoidal', length: 9, dim: 4 });
      check((await shiftError(phasor, { table, shift, k: 3 })).maxAbsDiff < 1e-6, 'three rows further is the matrix times the row');
      check((await shiftError(phasor, { table, shift, k: 2 })).maxAbsDiff > 0.1, 'two rows further is not');
      const concatenated = await shiftMatrix(phasor, { frequencies, k: 3, layout: 'concatenated' });
      assertClose(valueAt(concatenated, 0, 2), Math.sin(3), 1e-6, 'the cosine of the first frequency follows all sines');
    },
  ],
  [
    'measures how much a rotation depends on absolute positions',
    async (phasor) => {
      const q = await phasor.randomNormal({ seed: 1, shape: [2, 8] });
      const k = await phasor.randomNormal({ seed: 2, shape: [2, 8] });
      const positions = [0, 3, 10, 500];
      check(
        (await relativePositionError(phasor, { encoding: 'rope', q, k, positions })).maxAbsDiff < 1e-5,
        'rope depends only on differences',
      );
      const grid = { id: 'rope_2d', columns: 4 } as const;
      check((await relativePositionError(phasor, { encoding: grid, q, k, positions })).maxAbsDiff > 0.1, 'patches are counted row by row');
      check((await relativePositionError(phasor, { encoding: grid, q, k, positions: [0, 4, 40] })).maxAbsDiff < 1e-5, 'whole rows apart');
    },
  ],
  [
    'shifts the rows of a table by a matrix of the frequencies of the encoding',
    async (phasor) => {
      const encodings = [
        { id: 'sinusoidal' },
        { id: 'sinusoidal', layout: 'concatenated', frequencies: 'tensor2tensor', max_timescale: 500 },
        { id: 'sinusoidal', base: 100, scaled: true },
        { id: 'multi_frequency' },
        { id: 'fourier', order: 'sin_cos' },
        { id: 'nerf' },
      ] as const;
      for (const encoding of encodings) {
        const { id } = encoding;
        const [width, k] = [8, 3];
        const shift = await shiftMatrix(phasor, { encoding, dim: width, k });
        const table = await phasor.positionTable({ encoding, length: 12, dim: width });
        const channels = table.shape[1] ?? 0;
        check(shift.shape.join() === `${channels},${channels}`, `${id}: its shape is ${shift.shape.join()}`);
        for (let p = 0; p + k < 12; p += 1) {
          for (let c = 0; c < channels; c += 1) {
            let sum = 0;
            for (let i = 0; i < channels; i += 1) sum += valueAt(shift, c, i) * valueAt(table, p, i);
            assertClose(sum, valueAt(table, p + k, c), 1e-6, `${id} position ${p + k} channel ${c}`);
          }
        }
        check((await shiftError(phasor, { table, shift, k: 2 })).maxAbsDiff > 1e-3, `${id}: two rows further is another matrix`);
      }
      assertSame(
        await shiftMatrix(phasor, { encoding: 'sinusoidal', dim: 4, k: 3 }),
        await shiftMatrix(phasor, { frequencies: [1, 0.01], k: 3 }),
        'the frequencies of a sinusoidal table 4 wide are 1 and 0.01',
      );
    },
  ],
];
