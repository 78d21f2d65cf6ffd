// Computes scores of queries and keys after multiplication by a matrix that depends on their position. Scores of unit
// vectors are dot products of matrix columns.
import { entryAt } from '../../../charts/entry-at.ts';
import { similarity } from '../../../engine/analysis.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { Engine } from '../../contract/kind.ts';

/** Number of positions. The matrix of position 0 is the identity; the user draws the others. */
export const POSITION_COUNT = 4;
/** Number of entries in a matrix, stored in row-major order. */
export const ENTRIES_PER_MATRIX = 4;

/** The two scores with the same query, key and distance that differ most. */
export interface DifferingScores {
  /** Indices of unit vectors: 0 is (1, 0), 1 is (0, 1). */
  readonly query: number;
  readonly key: number;
  /** `positions` is [query position, key position]. */
  readonly first: { readonly positions: readonly [number, number]; readonly score: number };
  readonly second: { readonly positions: readonly [number, number]; readonly score: number };
}

export interface MatrixScores {
  /** [2 * POSITION_COUNT, 2]: the first and second column of each matrix, as rows. */
  readonly vectors: Tensor;
  /** [2 * POSITION_COUNT, 2 * POSITION_COUNT]: dot products of the rows of `vectors`. */
  readonly scores: Tensor;
  readonly differingScores: DifferingScores;
  readonly residual: number;
  readonly maxAbsScore: number;
}

/** Tolerance for rounding to float32 and to the six decimals in a link, relative to the largest score. */
const TOLERANCE = 1e-5;
export const computeTolerance = ({ maxAbsScore }: MatrixScores): number => TOLERANCE * Math.max(1, maxAbsScore);

function extractColumns(matrices: readonly number[]): Float32Array {
  const allMatrices = [1, 0, 0, 1, ...matrices];
  return Float32Array.from({ length: 2 * 2 * POSITION_COUNT }, (_, index) => {
    const [position, column, row] = [Math.floor(index / 4), Math.floor(index / 2) % 2, index % 2];
    return entryAt(allMatrices, ENTRIES_PER_MATRIX * position + 2 * row + column);
  });
}

export const getScore = ({ data }: Tensor, [i, query]: readonly [number, number], [j, key]: readonly [number, number]): number =>
  entryAt(data, (2 * i + query) * 2 * POSITION_COUNT + 2 * j + key);

function getScoresAtDistance(scores: Tensor, distance: number, query: number, key: number): DifferingScores['first'][] {
  return Array.from({ length: POSITION_COUNT - distance }, (_, i) => ({
    positions: [i, i + distance] as const,
    score: getScore(scores, [i, query], [i + distance, key]),
  }));
}

function findDifferingScores(scores: Tensor): DifferingScores {
  const candidates: DifferingScores[] = [];
  for (let distance = 0; distance < POSITION_COUNT - 1; distance++)
    for (const [query, key] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ] as const) {
      const equalDistanceScores = getScoresAtDistance(scores, distance, query, key);
      const [minIndex, maxIndex] = [Math.min, Math.max].map((selectScore) =>
        equalDistanceScores.findIndex(({ score }) => score === selectScore(...equalDistanceScores.map((pair) => pair.score))),
      );
      // If all scores are equal, uses the first two.
      const [a = 0, b = 1] = minIndex === maxIndex ? [] : [minIndex, maxIndex].sort((left, right) => (left ?? 0) - (right ?? 0));
      candidates.push({
        query,
        key,
        first: equalDistanceScores[a] as DifferingScores['first'],
        second: equalDistanceScores[b] as DifferingScores['first'],
      });
    }
  return candidates.reduce((largest, candidate) => (computeDifference(candidate) > computeDifference(largest) ? candidate : largest));
}

const computeDifference = ({ first, second }: DifferingScores): number => Math.abs(first.score - second.score);

export async function computeMatrixScores(matrices: readonly number[], engine: Engine): Promise<MatrixScores> {
  const vectors = { shape: [2 * POSITION_COUNT, 2], data: extractColumns(matrices) };
  const scores = await similarity(engine, { table: vectors, metric: 'dot' });
  const differingScores = findDifferingScores(scores);
  return {
    vectors,
    scores,
    differingScores,
    residual: computeDifference(differingScores),
    maxAbsScore: Math.max(...scores.data.map(Math.abs)),
  };
}
