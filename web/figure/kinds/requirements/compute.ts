// The five requirements, each with the measured number, its threshold, and the positions of the measurement.

import { entryAt } from '../../../charts/entry-at.ts';
import {
  distanceProfile,
  permutationError,
  permutationTest,
  shiftError,
  shiftMatrix,
  similarity,
  tableStatistics,
} from '../../../engine/analysis.ts';
import type { EncodingInfo, PhasorError, Tensor } from '../../../engine/index.ts';
import { differenceOf } from '../../compute/difference.ts';
import { rowsOf } from '../../compute/table-rows.ts';
import type { Engine } from '../../contract/kind.ts';
import { usedEncoding } from '../../contract/parameters.ts';
import {
  DIGIT,
  type DifferingPairs,
  type Finding,
  GROWTH,
  LONGER,
  type Numbers,
  PRODUCT_ROUNDING,
  ROUNDING,
  type Verdict,
} from './findings.ts';
import { onALine, quantityOf, type Source, type Spec, sourceOf } from './sources.ts';

const nothing: Finding = { value: 0, threshold: 0, verdict: -1, decidingPositions: [] };
const order = (length: number): number[] => Array.from({ length }, (_, index) => index);
const verdict = (holds: boolean): Verdict => (holds ? 1 : 0);

/** A partial result, or the error of the core. */
async function attempt<Value>(work: () => Promise<Value>): Promise<Value | string> {
  try {
    return await work();
  } catch (thrown) {
    const { name, code, message } = thrown as PhasorError;
    if (name !== 'PhasorError' || code === 'internal' || code === 'cancelled') throw thrown;
    return message;
  }
}

/** The norm of the longest row, computed in parts, because the core also compares all pairs of a table. */
async function longestOf(table: Tensor, rows: number, engine: Engine): Promise<number> {
  const [all = 0, columns = 0] = table.shape;
  let longest = 0;
  for (let first = 0; first < all; first += rows) {
    const data = table.data.subarray(first * columns, Math.min(all, first + rows) * columns);
    longest = Math.max(longest, (await tableStatistics(engine, { table: { shape: [data.length / columns, columns], data } })).maxNorm);
  }
  return longest;
}

/** The index of the largest number. */
const largestAt = (data: ArrayLike<number>): number =>
  Array.from(data).reduce((best, value, at, all) => (value > entryAt(all, best) ? at : best), 0);

async function boundedIn({ table }: Source, { length }: Spec, longest: number, engine: Engine): Promise<Finding> {
  const grown = await attempt(async () => longestOf(await table(LONGER * length), length, engine));
  if (typeof grown === 'string') return { ...nothing, rejection: grown };
  const threshold = GROWTH * longest;
  return { value: grown, threshold, verdict: verdict(grown <= threshold), decidingPositions: [] };
}

async function lengthIn({ start }: Source, { length }: Spec, longest: number, engine: Engine): Promise<Finding> {
  const before = await start(length, length);
  const after = await attempt(() => start(2 * length, length));
  if (typeof after === 'string') return { ...nothing, verdict: 0, rejection: after };
  const { maxAbsDiff, perToken } = await permutationError(engine, { before, after, order: order(entryAt(before.shape, 0)) });
  const threshold = ROUNDING * longest;
  return {
    value: maxAbsDiff,
    threshold,
    verdict: verdict(maxAbsDiff <= threshold),
    decidingPositions: [largestAt(perToken.data) % length],
  };
}

/** Steps between neighbours: the end of a row of patches and the start of the next are not neighbours. */
async function smoothIn(table: Tensor, length: number, longest: number, engine: Engine): Promise<Finding> {
  const step = await differenceOf(rowsOf(table, order(length - 1)), rowsOf(table, order(length).slice(1)), engine);
  const { maxNorm } = await tableStatistics(engine, { table: step });
  const { data: squares } = await similarity(engine, { table: step, metric: 'dot' });
  const at = largestAt(order(length - 1).map((row) => entryAt(squares, row * length)));
  return { value: maxNorm, threshold: longest, verdict: verdict(maxNorm < longest), decidingPositions: [at, at + 1] };
}

/** The two pairs that determine the result: the extremes of a diagonal. */
function differingPairsIn({ data }: Tensor, side: number, { min, max }: { readonly min: Tensor; readonly max: Tensor }): DifferingPairs {
  const entry = largestAt(max.data.map((most, at) => most - entryAt(min.data, at)));
  const distance = entry - (side - 1);
  const pairs = order(side).filter((query) => query + distance >= 0 && query + distance < side);
  const at = (query: number): number => entryAt(data, query * side + query + distance);
  const low = pairs.reduce((best, query) => (at(query) < at(best) ? query : best), entryAt(pairs, 0));
  const high = pairs.reduce((best, query) => (at(query) > at(best) ? query : best), entryAt(pairs, 0));
  return { first: [low, low + distance], second: [high, high + distance], values: [at(low), at(high)] };
}

async function relativeIn(
  source: Source,
  line: number,
  engine: Engine,
): Promise<{ readonly finding: Finding; readonly differingPairs: DifferingPairs }> {
  const matrices = await source.pairs(line);
  let [spread, largest] = [-1, 0];
  let differingPairs: DifferingPairs | undefined;
  for (const matrix of matrices) {
    const profile = await distanceProfile(engine, { matrix });
    largest = Math.max(largest, (await tableStatistics(engine, { table: matrix })).maxAbs);
    if (profile.spread <= spread) continue;
    spread = profile.spread;
    differingPairs = differingPairsIn(matrix, line, profile);
  }
  const threshold = PRODUCT_ROUNDING * Math.max(1, largest);
  return {
    finding: { value: spread, threshold, verdict: verdict(spread <= threshold), decidingPositions: [] },
    differingPairs: differingPairs as DifferingPairs,
  };
}

/** For an encoding without positions: whether attention depends on the order of the words. */
async function observed({ length, dim, mask, seed }: Spec, engine: Engine): Promise<number> {
  const x = await engine.randomNormal({ seed, shape: [length, dim] });
  const { maxAbsDiff } = await permutationTest(engine, { x, heads: 1, encoding: 'none', mask, order: order(length).reverse() });
  return maxAbsDiff;
}

export async function requirementNumbers(spec: Spec, engine: Engine): Promise<Numbers> {
  const info = engine.encodings.find(({ id }) => id === spec.encoding.id);
  const injection = info?.injection ?? 'input';
  const source = await sourceOf(spec, injection, engine);
  const table = await source.table(spec.length);
  const { closestDistance, closestPair, maxNorm: longest } = await tableStatistics(engine, { table });
  const threshold = DIGIT * longest;
  const unique: Finding = {
    value: closestDistance,
    threshold,
    verdict: verdict(closestDistance > 0 && closestDistance >= threshold),
    decidingPositions: closestPair,
  };
  const common = {
    quantity: quantityOf(injection),
    isNone: injection === 'none',
    isDrawn: isDrawn(spec, info),
    longest,
    line: spec.length,
    shiftResidual: undefined,
  };
  if (injection === 'none') {
    const findings = { unique, bounded: nothing, length: nothing, smooth: nothing, relative: nothing };
    return {
      ...common,
      findings,
      differingPairs: undefined,
      check: { residual: await observed(spec, engine), tolerance: PRODUCT_ROUNDING },
    };
  }
  const bounded = await boundedIn(source, spec, longest, engine);
  const length = await lengthIn(source, spec, longest, engine);
  const line = onALine(spec, engine);
  const smooth = await smoothIn(table, line, longest, engine);
  const { finding: relative, differingPairs } = await relativeIn(source, line, engine);
  // Ascending positions, which encodings that count the keys between two positions require.
  const deciding = [...new Set([...unique.decidingPositions, ...smooth.decidingPositions])].sort((a, b) => a - b);
  const { maxAbsDiff: residual } = await permutationError(engine, {
    before: rowsOf(table, deciding),
    after: await source.alone(deciding),
    order: order(deciding.length),
  });
  return {
    ...common,
    findings: { unique, bounded, length, smooth, relative },
    differingPairs,
    line,
    shiftResidual: injection === 'input' ? await shiftResidualOf(table, spec, engine) : undefined,
    check: { residual, tolerance: ROUNDING * longest },
  };
}

const isDrawn = ({ encoding }: Spec, info: EncodingInfo | undefined): boolean =>
  info?.learned === true && !info.params.some(({ name, kind }) => kind === 'tensor' && encoding[name] !== undefined);

/** The error of one matrix that moves every row to the next one; undefined for tables without such a matrix. */
async function shiftResidualOf(table: Tensor, { encoding, dim }: Spec, engine: Engine): Promise<number | undefined> {
  const shift = await attempt(() => shiftMatrix(engine, { encoding: usedEncoding(encoding, engine.encodings), dim, k: 1 }));
  return typeof shift === 'string' ? undefined : (await shiftError(engine, { table, shift, k: 1 })).maxAbsDiff;
}
