// Compares outputs that are too large for a file by sums, and by the values at several indices.

import type { Tensor } from '../../engine/types/api.ts';
import { type Case, SAMPLE, SUM, upward } from './case.ts';

export function expectSamples(c: Case, { output, weights }: { output: Tensor; weights: Tensor }): void {
  const at = (name: string, { shape, data }: Tensor): Tensor => {
    const positions = c.input(name).data;
    const [, rows = 0, columns = 0] = shape;
    const flat = upward(positions.length / 3).map((n) => {
      const [head = 0, row = 0, column = 0] = positions.slice(3 * n, 3 * n + 3);
      return (head * rows + row) * columns + column;
    });
    return {
      shape: [flat.length],
      data: Float32Array.from(flat, (position) => data[position] ?? c.fail(`input ${name} contains a position outside the tensor`)),
    };
  };
  const total = ({ data }: Tensor, f: (x: number) => number) => data.reduce((sum, x) => sum + f(x), 0);
  const number = (name: string, value: number, tolerance: number) => {
    if (c.hasOutput(name)) c.expect(name, { shape: [], data: [value] }, tolerance);
  };
  const [sum, size] = [total(output, (x) => x), total(output, Math.abs)];
  // The tolerance is relative to the sum of absolute values, because the terms may cancel.
  number('out_sum', sum, (SUM * size) / (1 + Math.abs(sum)));
  number('out_abs_sum', size, SUM);
  number(
    'out_sq_sum',
    total(output, (x) => x * x),
    SUM,
  );
  number(
    'weight_sq_sum',
    total(weights, (x) => x * x),
    SAMPLE,
  );
  const rows = weights.data.length / (weights.shape[2] ?? 0);
  number('row_entropy_mean', total(weights, (w) => (w > 0 ? -w * Math.log(w) : 0)) / rows, SAMPLE);
  c.expect('out_samples', at('out_index', output), SAMPLE);
  c.expect('weight_samples', at('weight_index', weights), SAMPLE, 'weights');
}
