import { sampleTokens } from './dump.ts';
import type { ResidualMap, Residuals } from './report.ts';

/** Returns the score or weight at an index, or undefined if its key is hidden. */
export type ScoreAt = (index: number) => number | undefined;

type Shape = readonly [heads: number, queries: number, keys: number];

/**
 * Computes residuals over all heads, relative to `rms`, the root mean square of the dump. A head in which only the dump or only the prediction
 * hides the key contributes a squared residual of 1.
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

/** Computes the residuals of the claim, and those of the explanation if there is one. */
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
