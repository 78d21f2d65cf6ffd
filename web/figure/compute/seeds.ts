// Statistics of curves measured with several seeds.
import type { Tensor } from '../../engine/index.ts';

/** The values [line][seed][point]. Lists are shorter while a line is incomplete. */
export type SeedValues = readonly (readonly (readonly number[])[])[];

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** [lines, points]: `reduce` applied to the values of the available seeds; NaN if there are none. */
export function reduceSeeds(values: SeedValues, points: number, reduce: (seeds: readonly number[]) => number): Tensor {
  const data = new Float32Array(values.length * points).fill(Number.NaN);
  values.forEach((seeds, line) => {
    for (let point = 0; point < points; point++) {
      const samples = seeds.flatMap((curve) => curve.slice(point, point + 1));
      if (samples.length > 0) data[line * points + point] = reduce(samples);
    }
  });
  return { shape: [values.length, points], data };
}

/** [lines, points]: the minimum and maximum over seeds. */
export const bandOf = (values: SeedValues, points: number): { readonly low: Tensor; readonly high: Tensor } => ({
  low: reduceSeeds(values, points, (seeds) => Math.min(...seeds)),
  high: reduceSeeds(values, points, (seeds) => Math.max(...seeds)),
});

/** The values of one line of a tensor [lines, points]. */
export function rowOf({ shape: [, points = 0], data }: Tensor, line: number): Float32Array {
  return data.subarray(line * points, (line + 1) * points);
}

/** [lines, seeds, points]; NaN for incomplete lines. */
export function seedTensor(values: SeedValues, lines: number, seeds: number, points: number): Tensor {
  const valueAt = (line: number, seed: number, point: number): number => values[line]?.[seed]?.[point] ?? Number.NaN;
  const data = Float32Array.from({ length: lines * seeds * points }, (_, index) =>
    valueAt(Math.floor(index / seeds / points), Math.floor(index / points) % seeds, index % points),
  );
  return { shape: [lines, seeds, points], data };
}
