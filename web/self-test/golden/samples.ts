// Compares outputs that are too large for a golden file by their sums and by values at sampled indices.

import type { Tensor } from '../../engine/types/api.ts';
import { type Case, consecutiveIntegers, SAMPLE_TOLERANCE, SUM_TOLERANCE } from './case.ts';

export function expectSamples(c: Case, { output, weights }: { output: Tensor; weights: Tensor }): void {
  const readSamples = (name: string, { shape, data }: Tensor): Tensor => {
    const positions = c.input(name).data;
    const [, rows = 0, columns = 0] = shape;
    const sampleOffsets = consecutiveIntegers(positions.length / 3).map((n) => {
      const [head = 0, row = 0, column = 0] = positions.slice(3 * n, 3 * n + 3);
      return (head * rows + row) * columns + column;
    });
    return {
      shape: [sampleOffsets.length],
      data: Float32Array.from(sampleOffsets, (position) => data[position] ?? c.fail(`input ${name} contains an index outside the tensor`)),
    };
  };
  const sumBy = ({ data }: Tensor, f: (x: number) => number) => data.reduce((sum, x) => sum + f(x), 0);
  const expectNumber = (name: string, value: number, tolerance: number) => {
    if (c.hasOutput(name)) c.expect(name, { shape: [], data: [value] }, tolerance);
  };
  const [sum, absSum] = [sumBy(output, (x) => x), sumBy(output, Math.abs)];
  // The tolerance is relative to the sum of absolute values, because the terms may cancel.
  expectNumber('out_sum', sum, (SUM_TOLERANCE * absSum) / (1 + Math.abs(sum)));
  expectNumber('out_abs_sum', absSum, SUM_TOLERANCE);
  expectNumber(
    'out_sq_sum',
    sumBy(output, (x) => x * x),
    SUM_TOLERANCE,
  );
  expectNumber(
    'weight_sq_sum',
    sumBy(weights, (x) => x * x),
    SAMPLE_TOLERANCE,
  );
  const rows = weights.data.length / (weights.shape[2] ?? 0);
  expectNumber('row_entropy_mean', sumBy(weights, (w) => (w > 0 ? -w * Math.log(w) : 0)) / rows, SAMPLE_TOLERANCE);
  c.expect('out_samples', readSamples('out_index', output), SAMPLE_TOLERANCE);
  c.expect('weight_samples', readSamples('weight_index', weights), SAMPLE_TOLERANCE, 'weights');
}
