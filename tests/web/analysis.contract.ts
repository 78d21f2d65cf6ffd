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
import { at, type Contract, check, close, failure, same } from './contract-checks.ts';

export const analysisCases: Contract = [
  [
    'shows that attention without positions is permutation equivariant',
    async (phasor) => {
      const length = 9;
      const width = 16;
      const x = await phasor.randomNormal({ seed: 7, shape: [length, width] });
      const order = [3, 1, 4, 0, 5, 8, 2, 6, 7];
      const moved = { shape: x.shape, data: Float32Array.from(order.flatMap((p) => [...x.data.subarray(p * width, (p + 1) * width)])) };
      const error = async (options: object) => {
        const before = (await phasor.selfAttention({ x, heads: 4, projections: 'orthogonal', seed: 3, ...options })).output;
        const after = (await phasor.selfAttention({ x: moved, heads: 4, projections: 'orthogonal', seed: 3, ...options })).output;
        return (await permutationError(phasor, { before, after, order })).maxAbsDiff;
      };
      const none = await error({});
      check(none < 2e-6, `outputs are only permuted: ${none}`);
      for (const options of [{ encoding: 'sinusoidal' }, { encoding: 'rope' }, { encoding: 'alibi' }, { mask: 'causal' }]) {
        const maxAbsDiff = await error(options);
        check(maxAbsDiff > 0.01, `order matters with ${JSON.stringify(options)}: ${maxAbsDiff}`);
      }
    },
  ],
  [
    'permutes the tokens of a layer in one call, and returns the weights of one head',
    async (phasor) => {
      const [length, width, head] = [7, 12, 2];
      const x = await phasor.randomNormal({ seed: 11, shape: [length, width] });
      const order = [4, 1, 6, 0, 5, 3, 2];
      const moved = { shape: x.shape, data: Float32Array.from(order.flatMap((p) => [...x.data.subarray(p * width, (p + 1) * width)])) };
      for (const encoding of ['none', 'rope', 'alibi', 'cope']) {
        const request = {
          heads: 3,
          projections: 'orthogonal',
          seed: 3,
          encoding,
          mask: 'causal',
          outputs: ['weights', 'scores', 'bias'],
        } as const;
        const before = await phasor.selfAttention({ ...request, x });
        const after = await phasor.selfAttention({ ...request, x: moved });
        const error = await permutationError(phasor, { before: before.output, after: after.output, order });
        const once = await permutationTest(phasor, { ...request, x, order, head });
        same(once.before, before.output, 'the outputs before');
        same(once.output, after.output, 'the outputs of the reordered tokens');
        same(once.perToken, error.perToken, 'the difference of each token');
        check(once.maxAbsDiff === error.maxAbsDiff, `${once.maxAbsDiff} is ${error.maxAbsDiff}`);
        for (const name of ['weights', 'scores', 'bias'] as const) {
          const all = after[name] as Tensor;
          const part = { shape: [1, length, length], data: all.data.subarray(head * length * length, (head + 1) * length * length) };
          same(once[name] as Tensor, part, `${name} of one head`);
        }
      }
      const rejected = (more: object) => failure(() => permutationTest(phasor, { x, heads: 3, order, ...more }));
      check((await rejected({ head: 3 })).message === 'head: 3 is outside 0 to 2', (await rejected({ head: 3 })).message);
      check(
        (await rejected({ order: [0, 0] })).message === 'order: has 2 entries; expected 7, one per token',
        'an order has every position',
      );
      check((await rejected({ order: undefined })).message === 'order: undefined is not an array of numbers', 'an order is required');
    },
  ],
  [
    'computes a single head of a layer if the output is omitted',
    async (phasor) => {
      const x = await phasor.randomNormal({ seed: 4, shape: [9, 8] });
      const request = { x, heads: 4, encoding: 'alibi', mask: 'causal', head: 2, outputs: ['weights', 'scores'] } as const;
      const whole = await phasor.selfAttention(request);
      const part = await phasor.selfAttention({ ...request, computeOutput: false });
      same(part.weights, whole.weights, 'the weights');
      same(part.scores, whole.scores, 'the scores');
      check(Object.keys(part).join() === 'weights,scores', `it has ${Object.keys(part).join()}`);
      check('output' in (await phasor.selfAttention({ ...request, computeOutput: true })), 'the output is returned on request');
      const messageOf = async (more: object) => (await failure(() => phasor.selfAttention({ ...request, ...more }))).message;
      const unknown = await messageOf({ computeOutput: 0 });
      check(unknown === 'computeOutput: 0 is not true or false', unknown);
      const out = await messageOf({ computeOutput: false, out: { output: new Float32Array(72) } });
      check(out === 'out.output: is not a result; expected weights, scores', out);
      const misplaced = await failure(() =>
        permutationTest(phasor, { ...request, order: [8, 7, 6, 5, 4, 3, 2, 1, 0], computeOutput: false } as never),
      );
      check(misplaced.message === 'computeOutput is not a field of permutationTest', misplaced.message);
    },
  ],
  [
    'measures similarity and samples reproducibly from a seed',
    async (phasor) => {
      const table = await phasor.positionTable({ encoding: 'sinusoidal', length: 5, dim: 8 });
      const cosine = await similarity(phasor, { table });
      close(at(cosine, 2, 2), 1, 1e-6, 'a row is similar to itself');
      close(at(cosine, 0, 1), at(cosine, 3, 4) ?? Number.NaN, 1e-6, 'similarity depends on the distance');
      const first = await phasor.randomNormal({ seed: 5, shape: [2, 3] });
      const again = await phasor.randomNormal({ seed: 5, shape: [2, 3] });
      check(
        first.data.every((value, i) => value === again.data[i]),
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
      close(statistics.meanNorm, (5 + Math.hypot(3, 4.5) + 13) / 3, 1e-7, 'the mean norm');

      const matrix = { shape: [2, 2], data: new Float32Array([1, 7, 2, 5]) };
      const profile = await distanceProfile(phasor, { matrix });
      check(profile.mean.data.join() === '2,3,7', `mean: ${profile.mean.data.join()}`);
      check(profile.min.data.join() === '2,1,7' && profile.max.data.join() === '2,5,7', `max: ${profile.max.data.join()}`);
      check(profile.spread === 4, `spread: ${profile.spread}`);

      const waves = await phasor.positionTable({ encoding: 'sinusoidal', length: 8, dim: 4 });
      const { power, wavelength } = await spectrum(phasor, { table: waves });
      check(power.shape.join() === '4,4', `power: ${power.shape.join()}`);
      for (const [bin, tokens] of [8, 4, 8 / 3, 2].entries()) close(wavelength.data[bin], tokens, 1e-6, `the wavelength of bin ${bin}`);

      const line = { shape: [8, 2], data: Float32Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? i / 2 : 1)) };
      const { coordinates, explainedVarianceRatio } = await principalComponents(phasor, { table: line, components: 1 });
      close(at(explainedVarianceRatio, 0), 1, 1e-6, 'one component explains a line');
      close(at(coordinates, 7, 0), 3.5, 1e-6, 'rows are projected relative to their mean');
      const probe = await linearProbe(phasor, { table: line });
      check(probe.predictions.shape.join() === '8', `predictions: ${probe.predictions.shape.join()}`);
      close(probe.rSquared, 1, 1e-6, 'positions on a line are predicted');
      close(probe.meanAbsoluteError, 0, 1e-3, 'without error');
    },
  ],
  [
    'returns rotations and shifts as matrices',
    async (phasor) => {
      const rotation = await rotationMatrix(phasor, { encoding: { id: 'rope', layout: 'half_split' }, position: 0.5, dim: 4 });
      check(rotation.shape.join() === '4,4', `its shape is ${rotation.shape.join()}`);
      close(at(rotation, 0, 0), Math.cos(0.5), 1e-6, 'cos 0.5');
      close(at(rotation, 2, 0), Math.sin(0.5), 1e-6, 'sin 0.5, half a head further');
      const patch = await rotationMatrix(phasor, { encoding: 'rope_2d', position: [0, 0], dim: 4 });
      check(
        patch.data.every((value, i) => value === (i % 5 === 0 ? 1 : 0)),
        'the origin is the identity',
      );
      const frequencies = [1, 0.01];
      const shift = await shiftMatrix(phasor, { frequencies, k: 3 });
      close(at(shift, 0, 1), Math.sin(3), 1e-6, 'sin 3');
      const table = await phasor.positionTable({ encoding: 'sinusoidal', length: 9, dim: 4 });
      check((await shiftError(phasor, { table, shift, k: 3 })).maxAbsDiff < 1e-6, 'three rows further is the matrix times the row');
      check((await shiftError(phasor, { table, shift, k: 2 })).maxAbsDiff > 0.1, 'two rows further is not');
      const halves = await shiftMatrix(phasor, { frequencies, k: 3, layout: 'concatenated' });
      close(at(halves, 0, 2), Math.sin(3), 1e-6, 'the cosine of the first frequency follows all sines');
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
        const width = 8;
        const k = 3;
        const shift = await shiftMatrix(phasor, { encoding, dim: width, k });
        const table = await phasor.positionTable({ encoding, length: 12, dim: width });
        const channels = table.shape[1] ?? 0;
        check(shift.shape.join() === `${channels},${channels}`, `${id}: its shape is ${shift.shape.join()}`);
        for (let p = 0; p + k < 12; p += 1) {
          for (let c = 0; c < channels; c += 1) {
            let moved = 0;
            for (let i = 0; i < channels; i += 1) moved += (at(shift, c, i) ?? 0) * (at(table, p, i) ?? 0);
            close(moved, at(table, p + k, c) ?? Number.NaN, 1e-6, `${id} position ${p + k} channel ${c}`);
          }
        }
        check((await shiftError(phasor, { table, shift, k: 2 })).maxAbsDiff > 1e-3, `${id}: two rows further is another matrix`);
      }
      const byHand = await shiftMatrix(phasor, { frequencies: [1, 0.01], k: 3 });
      const same = await shiftMatrix(phasor, { encoding: 'sinusoidal', dim: 4, k: 3 });
      check(same.data.join() === byHand.data.join(), 'the frequencies of a sinusoidal table 4 wide are 1 and 0.01');
    },
  ],
];
