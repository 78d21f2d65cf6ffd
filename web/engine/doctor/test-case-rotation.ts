// Generates a test of a rotation: input vectors from the dump, and their rotation with the claimed encoding.

import { argumentError } from '../errors.ts';
import type { Phasor } from '../types/api.ts';
import { detectFormat, NOISE, type Vectors } from './dump.ts';
import { ANGLE_NOISE } from './fit.ts';
import { readVectorPair } from './pair.ts';
import type { Report } from './report.ts';
import type { RotationDump, TwoImplementationsDump } from './requests.ts';
import { coordinatesOf } from './state.ts';
import { MAX_ELEMENTS as MOST, type TestCase, TOLERANCE_FACTOR } from './test-case.ts';
import { rotateBack } from './two-implementations.ts';

/** Selects the tokens of a test: the first that differs, the one before it, and others at increasing distances. */
function selectTokens(count: number, maxCount: number, differingToken: number | undefined): number[] {
  if (count <= maxCount) return Array.from({ length: count }, (_, token) => token);
  const tokenSet = new Set<number>(differingToken === undefined ? [0] : [differingToken, Math.max(0, differingToken - 1)]);
  for (let step = 0; step <= 200 && tokenSet.size < maxCount; step++) tokenSet.add(Math.round((count - 1) * (step / 200) ** 2));
  return [...tokenSet].sort((a, b) => a - b);
}

/** Copies the vectors of the given tokens and heads: [tokens, heads, dim], row-major. */
function selectVectors({ data, dim, tokenStride, headStride }: Vectors, tokens: readonly number[], heads: readonly number[]): Float32Array {
  const selectedVectors = new Float32Array(tokens.length * heads.length * dim);
  tokens.forEach((token, row) => {
    heads.forEach((head, at) => {
      const start = token * tokenStride + head * headStride;
      selectedVectors.set(data.subarray(start, start + dim), (row * heads.length + at) * dim);
    });
  });
  return selectedVectors;
}

export function createRotationCase(phasor: Phasor, request: RotationDump | TwoImplementationsDump, { first, noise }: Report): TestCase {
  const { first: firstVectors, second: secondVectors, positions: allPositions, claim } = readVectorPair(phasor, request);
  if (!claim) throw argumentError('claim', 'is missing; expected an encoding or a config');
  if (firstVectors.tokens !== secondVectors.tokens || firstVectors.heads !== secondVectors.heads || firstVectors.dim !== secondVectors.dim)
    throw argumentError('after', 'the two tensors differ in shape; expected equal shapes');
  const input = 'reference' in request && claim.id !== 'none' ? rotateBack(phasor, firstVectors, allPositions, claim) : firstVectors;
  const { dim } = input;
  const heads = input.heads > 1 && 16 * dim <= MOST / 2 ? [0, input.heads - 1] : [0];
  const tokens = selectTokens(input.tokens, Math.max(2, Math.floor(MOST / (heads.length * dim))), first?.token);
  const x = selectVectors(input, tokens, heads);
  const rows = coordinatesOf(tokens.map((token) => allPositions[token]) as typeof allPositions);
  const axisCount = rows[0]?.length ?? 1;
  const positions = { shape: axisCount === 1 ? [tokens.length] : [tokens.length, axisCount], data: Float64Array.from(rows.flat()) };
  const dtype = noise ?? detectFormat(firstVectors.data, secondVectors.data);
  const shape = [tokens.length, heads.length, dim] as const;
  const positionList = axisCount === 1 ? rows.map(([position = 0]) => position) : rows;
  const createCase = (expected: Float32Array, tolerances: readonly number[]): TestCase => ({
    tested: 'rotation',
    dtype,
    inputs: { before: { shape, data: x }, positions: positionList },
    expected: { shape, data: expected },
    rows: rows.map((row) => `position ${row.join(', ')}`),
    tolerances,
  });
  const roundingNoise = NOISE[dtype];
  if (claim.id === 'none')
    return createCase(
      x,
      tokens.map(() => TOLERANCE_FACTOR * roundingNoise),
    );
  const view = { shape: [heads.length, tokens.length, dim], strides: [dim, heads.length * dim, 1], offset: 0, data: x };
  const rotatedVectors = phasor.applyRotary(view, { encoding: claim, positions }).data as Float32Array;
  const expected = selectVectors(
    { tokens: tokens.length, heads: heads.length, dim, data: rotatedVectors, tokenStride: dim, headStride: tokens.length * dim },
    tokens.map((_, row) => row),
    heads.map((_, at) => at),
  );
  const angles = phasor.rotaryAngles({ encoding: claim, dim, positions }).data as Float32Array;
  const pairs = angles.length / tokens.length;
  // The tolerance includes the rounding error of float32 angles, which grows with the position.
  const tolerances = tokens.map((_, row) => {
    const squaredNoiseSum = angles.subarray(row * pairs, (row + 1) * pairs).reduce((sum, angle) => sum + (ANGLE_NOISE * angle) ** 2, 0);
    return TOLERANCE_FACTOR * Math.sqrt(roundingNoise * roundingNoise + squaredNoiseSum / pairs);
  });
  return createCase(expected, tolerances);
}
