// Checks five requirements, each by comparing a measured value with a threshold.

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
import { subtractMatrices } from '../../compute/difference.ts';
import { selectRows } from '../../compute/table-rows.ts';
import type { Engine } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import {
  type DifferingPairs,
  type Finding,
  LENGTH_FACTOR,
  MAX_GROWTH,
  MIN_RELATIVE_DISTANCE,
  PRODUCT_TOLERANCE,
  RELATIVE_TOLERANCE,
  type Results,
  type Verdict,
} from './findings.ts';
import { createPositionSource, getLineLength, getQuantity, type PositionSource, type Spec } from './sources.ts';

const NOT_APPLICABLE: Finding = { value: 0, threshold: 0, verdict: -1, decidingPositions: [] };
const indicesUpTo = (length: number): number[] => Array.from({ length }, (_, index) => index);
const toVerdict = (isMet: boolean): Verdict => (isMet ? 1 : 0);

/** Returns the result of `work`, or the core's error message if the core rejects the arguments. */
async function computeOrGetMessage<Value>(work: () => Promise<Value>): Promise<Value | string> {
  try {
    return await work();
  } catch (thrown) {
    const { name, code, message } = thrown as PhasorError;
    if (name !== 'PhasorError' || code === 'internal' || code === 'cancelled') throw thrown;
    return message;
  }
}

/**
 * Returns the largest row norm. Splits the table into blocks of `rows` rows, because tableStatistics also compares all
 * pairs of rows.
 */
async function computeMaxRowNorm(table: Tensor, rows: number, engine: Engine): Promise<number> {
  const [rowCount = 0, columns = 0] = table.shape;
  let longestNorm = 0;
  for (let first = 0; first < rowCount; first += rows) {
    const data = table.data.subarray(first * columns, Math.min(rowCount, first + rows) * columns);
    longestNorm = Math.max(
      longestNorm,
      (await tableStatistics(engine, { table: { shape: [data.length / columns, columns], data } })).maxNorm,
    );
  }
  return longestNorm;
}

const argmax = (data: ArrayLike<number>): number =>
  Array.from(data).reduce((best, value, index, all) => (value > entryAt(all, best) ? index : best), 0);

async function checkBounded({ computeTable }: PositionSource, { length }: Spec, longestNorm: number, engine: Engine): Promise<Finding> {
  const longerNorm = await computeOrGetMessage(async () => computeMaxRowNorm(await computeTable(LENGTH_FACTOR * length), length, engine));
  if (typeof longerNorm === 'string') return { ...NOT_APPLICABLE, rejection: longerNorm };
  const threshold = MAX_GROWTH * longestNorm;
  return { value: longerNorm, threshold, verdict: toVerdict(longerNorm <= threshold), decidingPositions: [] };
}

async function checkLength({ computeFirstRows }: PositionSource, { length }: Spec, longestNorm: number, engine: Engine): Promise<Finding> {
  const originalRows = await computeFirstRows(length, length);
  const longerRows = await computeOrGetMessage(() => computeFirstRows(2 * length, length));
  if (typeof longerRows === 'string') return { ...NOT_APPLICABLE, verdict: 0, rejection: longerRows };
  const { maxAbsDiff, perToken } = await permutationError(engine, {
    before: originalRows,
    after: longerRows,
    order: indicesUpTo(entryAt(originalRows.shape, 0)),
  });
  const threshold = RELATIVE_TOLERANCE * longestNorm;
  return {
    value: maxAbsDiff,
    threshold,
    verdict: toVerdict(maxAbsDiff <= threshold),
    decidingPositions: [argmax(perToken.data) % length],
  };
}

/** Compares neighbouring positions in the first `length` rows of `table`, which are one row of patches or the whole text. */
async function checkSmooth(table: Tensor, length: number, longestNorm: number, engine: Engine): Promise<Finding> {
  const stepDifferences = await subtractMatrices(
    selectRows(table, indicesUpTo(length - 1)),
    selectRows(table, indicesUpTo(length).slice(1)),
    engine,
  );
  const { maxNorm } = await tableStatistics(engine, { table: stepDifferences });
  const { data: squaredNorms } = await similarity(engine, { table: stepDifferences, metric: 'dot' });
  const stepIndex = argmax(indicesUpTo(length - 1).map((row) => entryAt(squaredNorms, row * length)));
  return {
    value: maxNorm,
    threshold: longestNorm,
    verdict: toVerdict(maxNorm < longestNorm),
    decidingPositions: [stepIndex, stepIndex + 1],
  };
}

/** Returns the two pairs of positions whose values differ most among all pairs at the same distance. */
function findDifferingPairs({ data }: Tensor, side: number, { min, max }: { readonly min: Tensor; readonly max: Tensor }): DifferingPairs {
  const profileIndex = argmax(max.data.map((maximum, profileOffset) => maximum - entryAt(min.data, profileOffset)));
  const distance = profileIndex - (side - 1);
  const pairs = indicesUpTo(side).filter((query) => query + distance >= 0 && query + distance < side);
  const getValue = (query: number): number => entryAt(data, query * side + query + distance);
  const minQuery = pairs.reduce((best, query) => (getValue(query) < getValue(best) ? query : best), entryAt(pairs, 0));
  const maxQuery = pairs.reduce((best, query) => (getValue(query) > getValue(best) ? query : best), entryAt(pairs, 0));
  return {
    first: [minQuery, minQuery + distance],
    second: [maxQuery, maxQuery + distance],
    values: [getValue(minQuery), getValue(maxQuery)],
  };
}

async function checkRelative(
  source: PositionSource,
  lineLength: number,
  engine: Engine,
): Promise<{ readonly finding: Finding; readonly differingPairs: DifferingPairs }> {
  const matrices = await source.computePairScores(lineLength);
  let [spread, maxAbsValue] = [-1, 0];
  let differingPairs: DifferingPairs | undefined;
  for (const matrix of matrices) {
    const profile = await distanceProfile(engine, { matrix });
    maxAbsValue = Math.max(maxAbsValue, (await tableStatistics(engine, { table: matrix })).maxAbs);
    if (profile.spread <= spread) continue;
    spread = profile.spread;
    differingPairs = findDifferingPairs(matrix, lineLength, profile);
  }
  const threshold = PRODUCT_TOLERANCE * Math.max(1, maxAbsValue);
  return {
    finding: { value: spread, threshold, verdict: toVerdict(spread <= threshold), decidingPositions: [] },
    differingPairs: differingPairs as DifferingPairs,
  };
}

async function measureOrderEffect({ length, dim, mask, seed }: Spec, engine: Engine): Promise<number> {
  const x = await engine.randomNormal({ seed, shape: [length, dim] });
  const { maxAbsDiff } = await permutationTest(engine, { x, heads: 1, encoding: 'none', mask, order: indicesUpTo(length).reverse() });
  return maxAbsDiff;
}

export async function computeRequirements(spec: Spec, engine: Engine): Promise<Results> {
  const info = engine.encodings.find(({ id }) => id === spec.encoding.id);
  const injection = info?.injection ?? 'input';
  const source = await createPositionSource(spec, injection, engine);
  const table = await source.computeTable(spec.length);
  const { closestDistance, closestPair, maxNorm: longestNorm } = await tableStatistics(engine, { table });
  const threshold = MIN_RELATIVE_DISTANCE * longestNorm;
  const uniqueFinding: Finding = {
    value: closestDistance,
    threshold,
    verdict: toVerdict(closestDistance > 0 && closestDistance >= threshold),
    decidingPositions: closestPair,
  };
  const commonResults = {
    quantity: getQuantity(injection),
    hasNoEncoding: injection === 'none',
    hasRandomParams: hasRandomParams(spec, info),
    longestNorm,
    lineLength: spec.length,
    shiftResidual: undefined,
  };
  if (injection === 'none') {
    const findings = {
      unique: uniqueFinding,
      bounded: NOT_APPLICABLE,
      length: NOT_APPLICABLE,
      smooth: NOT_APPLICABLE,
      relative: NOT_APPLICABLE,
    };
    return {
      ...commonResults,
      findings,
      differingPairs: undefined,
      check: { residual: await measureOrderEffect(spec, engine), tolerance: PRODUCT_TOLERANCE },
    };
  }
  const boundedFinding = await checkBounded(source, spec, longestNorm, engine);
  const lengthFinding = await checkLength(source, spec, longestNorm, engine);
  const lineLength = getLineLength(spec, engine);
  const smoothFinding = await checkSmooth(table, lineLength, longestNorm, engine);
  const { finding: relative, differingPairs } = await checkRelative(source, lineLength, engine);
  // The positions are sorted, because some encodings count the keys between two positions.
  const decidingPositions = [...new Set([...uniqueFinding.decidingPositions, ...smoothFinding.decidingPositions])].sort((a, b) => a - b);
  const { maxAbsDiff: residual } = await permutationError(engine, {
    before: selectRows(table, decidingPositions),
    after: await source.computeRows(decidingPositions),
    order: indicesUpTo(decidingPositions.length),
  });
  return {
    ...commonResults,
    findings: { unique: uniqueFinding, bounded: boundedFinding, length: lengthFinding, smooth: smoothFinding, relative },
    differingPairs,
    lineLength,
    shiftResidual: injection === 'input' ? await computeShiftResidual(table, spec, engine) : undefined,
    check: { residual, tolerance: RELATIVE_TOLERANCE * longestNorm },
  };
}

const hasRandomParams = ({ encoding }: Spec, info: EncodingInfo | undefined): boolean =>
  info?.learned === true && !info.params.some(({ name, kind }) => kind === 'tensor' && encoding[name] !== undefined);

/** Returns the error of the matrix that maps each row to the next, or undefined if the encoding has no such matrix. */
async function computeShiftResidual(table: Tensor, { encoding, dim }: Spec, engine: Engine): Promise<number | undefined> {
  const shiftResult = await computeOrGetMessage(() =>
    shiftMatrix(engine, { encoding: withUsedParams(encoding, engine.encodings), dim, k: 1 }),
  );
  return typeof shiftResult === 'string' ? undefined : (await shiftError(engine, { table, shift: shiftResult, k: 1 })).maxAbsDiff;
}
