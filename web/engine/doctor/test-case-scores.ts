// Generates a test of scores or weights from the last queries of a dump: q.k, or q and k, and the claimed result.

import { argumentError } from '../errors.ts';
import type { Phasor } from '../types/api.ts';
import { type DumpTensor, detectFormat, NOISE, readTensor } from './dump.ts';
import type { Report } from './report.ts';
import type { ScoresDump } from './requests.ts';
import { readScoreDump } from './score-dump.ts';
import { type CaseTensor, MAX_ELEMENTS, type TestCase, TOLERANCE_FACTOR } from './test-case.ts';
import { computeScores, softmaxRows } from './weights.ts';

/** Selects the last `count` rows of each head: [heads, count, width]. */
function selectLastRows({ shape, data }: DumpTensor, count: number): CaseTensor {
  const [heads = 1, rows = 1, width = 1] = shape;
  const selectedRows = new Float32Array(heads * count * width);
  for (let head = 0; head < heads; head++)
    selectedRows.set(data.subarray((head * rows + rows - count) * width, (head + 1) * rows * width), head * count * width);
  return { shape: [heads, count, width], data: selectedRows };
}

export function createScoresCase(phasor: Phasor, request: ScoresDump, { verdict }: Report): TestCase {
  const { products, scores, weights, sinks, claim, dim } = readScoreDump(phasor, request);
  const dumpedTensor = scores ?? weights;
  if (!claim) throw argumentError('claim', 'is missing; expected a claim or a config');
  if (!dumpedTensor) throw argumentError('scores', 'is missing; expected scores or weights');
  const [heads = 1, queries = 1, keys = 1] = products.shape;
  const count = Math.min(queries, Math.floor(MAX_ELEMENTS / (heads * Math.max(keys, request.q ? dim : 0))));
  if (count < 1)
    throw argumentError('products', `a test of ${heads} heads and ${keys} keys would be larger than 60 kB; expected fewer keys`);
  const shape = [heads, count, keys] as const;
  const lastProducts = selectLastRows(products, count);
  const values = computeScores(phasor, lastProducts, claim, dim);
  const expected = Float32Array.from(scores ? values : softmaxRows(values, [...shape], sinks?.data));
  const dtype = detectFormat(dumpedTensor.data.filter((value) => value > -1e4));
  const isFault = !/^(as_claimed|same_after_softmax|alibi_row_shifted|cannot_tell|not_explained)$/.test(verdict);
  const tolerance = TOLERANCE_FACTOR * NOISE[dtype];
  if (isFault && !isOutsideTolerance(selectLastRows(dumpedTensor, count), expected, tolerance))
    throw argumentError(
      'scores',
      `the fault does not occur in the last ${count} queries, the most that fit in a test; expected fewer heads or keys`,
    );
  const toCaseTensor = ({ shape: tensorShape, data }: DumpTensor): CaseTensor => ({ shape: tensorShape, data: Float32Array.from(data) });
  const vectors =
    request.products || !request.q || !request.k
      ? { products: lastProducts }
      : { q: selectLastRows(readTensor('q', request.q), count), k: toCaseTensor(readTensor('k', request.k)) };
  return {
    tested: scores ? 'scores' : 'weights',
    dtype,
    inputs: {
      ...vectors,
      ...(weights && sinks ? { sinks: toCaseTensor(sinks) } : {}),
      ...(claim.segments ? { segments: claim.segments } : {}),
    },
    expected: { shape, data: expected },
    rows: Array.from({ length: heads }, (_, head) => `head ${head}`),
    tolerances: new Array<number>(heads).fill(tolerance),
  };
}

/** Returns whether the visible keys differ from the expected ones, or the relative error of a head exceeds the tolerance. */
function isOutsideTolerance({ shape, data }: CaseTensor, expected: Float32Array, tolerance: number): boolean {
  const [heads = 1] = shape;
  const size = data.length / heads;
  for (let head = 0; head < heads; head++) {
    let [squares, lengths] = [0, 0];
    for (let at = head * size; at < (head + 1) * size; at++) {
      const [actual, expectedValue] = [data[at] as number, expected[at] as number];
      if (actual < -1e4 !== expectedValue < -1e4) return true;
      if (expectedValue < -1e4) continue;
      squares += (actual - expectedValue) ** 2;
      lengths += expectedValue * expectedValue;
    }
    if (Math.sqrt(squares) > tolerance * Math.sqrt(lengths)) return true;
  }
  return false;
}
