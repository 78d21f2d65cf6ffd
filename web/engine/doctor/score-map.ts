// The deviations of scores or weights from a prediction, by query and key.

import { sampleTokens } from './dump.ts';
import type { ResidualMap, Residuals } from './report.ts';

/** A score or weight by index; undefined if it is hidden. */
export type ScoreAt = (index: number) => number | undefined;

type Shape = readonly [heads: number, queries: number, keys: number];

/**
 * Residuals over all heads, relative to `rms`, the root mean square of the dump. If only the dump or only the prediction hides a key, the squared
 * residual of that head is 1.
 */
function residualsOf(
  [heads, queries, keys]: Shape,
  rows: readonly number[],
  dump: ScoreAt,
  predictedScore: ScoreAt,
  rms: number,
): Residuals {
  const values = new Float64Array(rows.length * keys);
  rows.forEach((query, row) => {
    for (let key = 0; key < keys; key++) {
      let squaredError = 0;
      for (let head = 0; head < heads; head++) {
        const index = (head * queries + query) * keys + key;
        const [dumpedValue, predictedValue] = [dump(index), predictedScore(index)];
        if (dumpedValue !== undefined && predictedValue !== undefined) squaredError += ((dumpedValue - predictedValue) / rms) ** 2;
        else if (dumpedValue !== predictedValue) squaredError += 1;
      }
      values[row * keys + key] = Math.min(1, Math.sqrt(squaredError / heads));
    }
  });
  return { pairs: keys, columns: keys, values };
}

/** The residuals of a dump relative to the claim, and to the explanation if there is one. */
export function scoreMap(shape: Shape, dump: ScoreAt, claimed: ScoreAt, found?: ScoreAt): ResidualMap {
  const [heads, queries, keys] = shape;
  const rows = sampleTokens(queries);
  let [squares, count] = [0, 0];
  for (let index = 0; index < heads * queries * keys; index++) {
    const value = dump(index);
    if (value === undefined) continue;
    squares += value * value;
    count += 1;
  }
  const rms = Math.sqrt(squares / Math.max(1, count)) || 1;
  const residuals = (predictedScore: ScoreAt) => residualsOf(shape, rows, dump, predictedScore, rms);
  return {
    columnAxis: 'key',
    tokens: rows,
    heads: Array.from({ length: heads }, (_, head) => head),
    positions: rows.map((query) => query + keys - queries),
    claimed: residuals(claimed),
    ...(found ? { found: residuals(found) } : {}),
  };
}
