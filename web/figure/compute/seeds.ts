// Statistics over seeds of curves that are measured once per seed.
import type { Tensor } from '../../engine/index.ts';

/** Measured values, indexed by [line][seed][point]. Inner lists are shorter until a line is complete. */
export type SeedValues = readonly (readonly (readonly number[])[])[];

export const computeMean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Combines the values of all seeds at each point with `reduce`. Returns [lines, points], with NaN where no seed has a value yet. */
export function reduceSeeds(values: SeedValues, pointCount: number, reduce: (seeds: readonly number[]) => number): Tensor {
  const data = new Float32Array(values.length * pointCount).fill(Number.NaN);
  values.forEach((seeds, line) => {
    for (let point = 0; point < pointCount; point++) {
      const samples = seeds.flatMap((curve) => curve.slice(point, point + 1));
      if (samples.length > 0) data[line * pointCount + point] = reduce(samples);
    }
  });
  return { shape: [values.length, pointCount], data };
}

/** Returns the minimum and maximum over seeds, [lines, points] each. */
export const computeSeedRange = (values: SeedValues, pointCount: number): { readonly low: Tensor; readonly high: Tensor } => ({
  low: reduceSeeds(values, pointCount, (seeds) => Math.min(...seeds)),
  high: reduceSeeds(values, pointCount, (seeds) => Math.max(...seeds)),
});

export function selectLine({ shape: [, pointCount = 0], data }: Tensor, line: number): Float32Array {
  return data.subarray(line * pointCount, (line + 1) * pointCount);
}

/** Returns [lines, seeds, points], with NaN for points that have not been measured yet. */
export function toSeedTensor(values: SeedValues, lineCount: number, seedCount: number, pointCount: number): Tensor {
  const valueAt = (line: number, seed: number, point: number): number => values[line]?.[seed]?.[point] ?? Number.NaN;
  const data = Float32Array.from({ length: lineCount * seedCount * pointCount }, (_, index) =>
    valueAt(Math.floor(index / seedCount / pointCount), Math.floor(index / pointCount) % seedCount, index % pointCount),
  );
  return { shape: [lineCount, seedCount, pointCount], data };
}
