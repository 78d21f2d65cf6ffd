// Rotates a query and a key by their positions. The core computes all displayed vectors, angles, axes and scores.
import { entryAt } from '../../charts/entry-at.ts';
import { rotationMatrix, similarity, tableStatistics } from '../../engine/analysis.ts';
import type { EncodingSpec, Tensor } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';
import { createParamReader } from '../contract/parameters.ts';
import { computeRotaryProof, type RotaryProof } from './rotary-proof.ts';
import { computeScoresAtPositions, computeStateAt, type RotationState, type VectorPair } from './rotation-state.ts';

export type Pairing = 'interleaved' | 'half_split';

/** A rotated query or key. Row 0 of each tensor corresponds to the selected position, and row i + 1 to position i. */
export interface RotatedVector {
  /** [dim], before rotation. */
  readonly beforeRotation: Float32Array;
  /** [rows, dim] */
  readonly rotated: Tensor;
  /** [rows, pairs], radians */
  readonly angles: Tensor;
  /** [rows, dim], rotations of the vector with (1, 0) in every pair */
  readonly firstAxis: Tensor;
  /** [rows, dim], rotations of the vector with (0, 1) in every pair */
  readonly secondAxis: Tensor;
}

/** The score of each pair as a function of the distance or the position. */
export interface ScoreCurve {
  /**
   * If `isByDistance`, distances from the query to the key, which are negative for earlier keys. Otherwise, positions of the query. Values
   * may be fractional.
   */
  readonly xValues: readonly number[];
  readonly isByDistance: boolean;
  /** Whether fractional positions are allowed. */
  readonly isContinuous: boolean;
  /** The position of the key. Not used if `isByDistance`. */
  readonly key: number;
  /** [pairs, xValues] */
  readonly scores: Tensor;
}

export interface Rotation extends RotaryProof {
  readonly query: RotatedVector;
  readonly key: RotatedVector;
  /** [rows, rows], q · k */
  readonly scores: Tensor;
  readonly pairing: Pairing;
  readonly channels: readonly (readonly [number, number])[];
  /** For each pair, the length of its longest vector, which sets the scale of the pair's dial. */
  readonly maxLengths: readonly number[];
  /** Whether positions have a single coordinate. If `startTokens` is also 0, angles are proportional to the position. */
  readonly isOneDimensional: boolean;
  readonly scalesVectors: boolean;
  readonly startTokens: number;
  readonly currentState: RotationState;
  /** The state at the positions in `from`; undefined if `from` is empty. */
  readonly previousState: RotationState | undefined;
  readonly curve: ScoreCurve;
  /** [pairs], in radians per position; undefined if angles are not proportional to the position */
  readonly anglePerPosition: Float32Array | undefined;
  stateAtPositions(queryPosition: number, keyPosition: number): Promise<RotationState>;
}

export interface RotationRequest {
  readonly encoding: Exclude<EncodingSpec, string>;
  readonly dim: number;
  readonly query: number;
  readonly key: number;
  /** Previous positions of the query and the key, for comparison with the current ones; empty: no comparison. */
  readonly from: readonly number[];
  readonly length: number;
  readonly vectors: 'random' | 'ones';
  readonly seed: number;
}

/** Detects which channels a rotation matrix pairs. Returns undefined if it pairs none. */
export function detectPairing({ data }: Tensor, width: number, pairs: number): Pairing | undefined {
  const mixesChannels = (a: number, b: number): boolean => data[a * width + b] !== 0;
  for (let pair = 0; pair < pairs; pair++) {
    if (mixesChannels(2 * pair + 1, 2 * pair)) return 'interleaved';
    if (mixesChannels(pair + pairs, pair)) return 'half_split';
  }
  return undefined;
}

export const pairChannels = (pairing: Pairing, pairs: number): (readonly [number, number])[] =>
  Array.from({ length: pairs }, (_, pair) => (pairing === 'interleaved' ? [2 * pair, 2 * pair + 1] : [pair, pair + pairs]));

const repeatRow = (row: Float32Array, rowCount: number): Tensor => {
  const data = new Float32Array(rowCount * row.length);
  for (let index = 0; index < rowCount; index++) data.set(row, index * row.length);
  return { shape: [1, rowCount, row.length], data };
};

const withoutHeadAxis = ({ shape, data }: Tensor): Tensor => ({ shape: shape.slice(1), data });

const concatRows = (a: Tensor, b: Tensor): Tensor => {
  const data = new Float32Array(a.data.length + b.data.length);
  data.set(a.data);
  data.set(b.data, a.data.length);
  return { shape: [entryAt(a.shape, 0) + entryAt(b.shape, 0), entryAt(a.shape, 1)], data };
};

export async function computeRotation(request: RotationRequest, engine: Engine): Promise<Rotation> {
  const { encoding, dim, length, vectors, seed } = request;
  const info = engine.encodings.find(({ id }) => id === encoding.id);
  const readParam = info ? createParamReader(encoding as never, info) : () => undefined;
  const allPositions = Array.from({ length }, (_, position) => position);
  const positions = { query: [request.query, ...allPositions], key: [request.key, ...allPositions] };
  const rowCount = length + 1;

  const randomVectors =
    vectors === 'ones' ? new Float32Array(2 * dim).fill(1) : (await engine.randomNormal({ seed, shape: [2, dim] })).data;
  const angles = await engine.rotaryAngles({ encoding, positions: positions.query, dim });
  const pairs = entryAt(angles.shape, 1);
  const matrix = await rotationMatrix(engine, { encoding, position: 1, dim });
  const pairing = detectPairing(matrix, dim, pairs) ?? (readParam('layout') === 'half_split' ? 'half_split' : 'interleaved');
  const channels = pairChannels(pairing, pairs);

  const createAxisVector = (axis: 0 | 1): Float32Array => {
    const data = new Float32Array(dim);
    for (const pair of channels) data[pair[axis]] = 1;
    return data;
  };
  const computeRotatedVector = async (role: 'query' | 'key', beforeRotation: Float32Array): Promise<RotatedVector> => {
    const rotateRow = async (row: Float32Array): Promise<Tensor> =>
      withoutHeadAxis(await engine.applyRotary(repeatRow(row, rowCount), { encoding, positions: positions[role], role }));
    const [rotated, firstAxis, secondAxis] = await Promise.all([
      rotateRow(beforeRotation),
      rotateRow(createAxisVector(0)),
      rotateRow(createAxisVector(1)),
    ]);
    return {
      beforeRotation,
      rotated,
      firstAxis,
      secondAxis,
      angles: role === 'query' ? angles : await engine.rotaryAngles({ encoding, positions: positions.key, dim }),
    };
  };
  const query = await computeRotatedVector('query', randomVectors.slice(0, dim));
  const key = await computeRotatedVector('key', randomVectors.slice(dim));

  const allRotated = concatRows(query.rotated, key.rotated);
  const { data: dotProducts } = await similarity(engine, { table: allRotated, metric: 'dot' });
  const scores = new Float32Array(rowCount * rowCount);
  for (let row = 0; row < rowCount; row++)
    scores.set(dotProducts.subarray(row * 2 * rowCount + rowCount, (row + 1) * 2 * rowCount), row * rowCount);

  const startTokens = readParam('scaling') === 'none' ? 0 : Number(readParam('start_tokens') ?? 0);
  const isOneDimensional = info?.axes === 1;
  const vectorPair = { encoding, query: query.beforeRotation, key: key.beforeRotation, channels };
  const [fromQuery, fromKey] = request.from;
  const hasConstantAngles = isOneDimensional && startTokens === 0;
  const toOneHeadTensor = (data: Float32Array): Tensor => ({ shape: [1, dim], data });
  const proof = await computeRotaryProof(
    engine,
    {
      encoding,
      q: toOneHeadTensor(query.beforeRotation),
      k: toOneHeadTensor(key.beforeRotation),
      positions: [request.query, request.key, ...allPositions],
    },
    allRotated,
  );
  return {
    ...proof,
    query,
    key,
    scores: { shape: [rowCount, rowCount], data: scores },
    pairing,
    channels,
    maxLengths: channels.map((pair) =>
      findMaxLength(pair, [query.beforeRotation, key.beforeRotation, query.rotated.data, key.rotated.data], dim),
    ),
    isOneDimensional,
    scalesVectors: await changesLength(engine, query.firstAxis, channels),
    startTokens,
    currentState: await computeStateAt(engine, vectorPair, request.query, request.key),
    previousState:
      fromQuery === undefined || fromKey === undefined ? undefined : await computeStateAt(engine, vectorPair, fromQuery, fromKey),
    curve: await computeCurve(engine, vectorPair, request, hasConstantAngles, isOneDimensional),
    anglePerPosition: hasConstantAngles ? (await engine.rotaryAngles({ encoding, positions: [1], dim })).data : undefined,
    stateAtPositions: (m, n) => computeStateAt(engine, vectorPair, m, n),
  };
}

/**
 * Returns the number of samples per position. The fastest pair rotates by one radian per position, and its curve should still look smooth.
 */
const chooseSampleRate = (positions: number): number => (positions <= 32 ? 8 : positions <= 64 ? 4 : 2);

/**
 * Computes the scores as a function of the distance or, if they depend on the positions themselves, of the query's position. Image patches
 * have no fractional positions.
 */
async function computeCurve(
  engine: Engine,
  vectorPair: VectorPair,
  { key, length }: RotationRequest,
  isByDistance: boolean,
  isOneDimensional: boolean,
): Promise<ScoreCurve> {
  const stepsPerPosition = isOneDimensional ? chooseSampleRate(length) : 1;
  const minXValue = isByDistance ? 1 - length : 0;
  const xValues = Array.from(
    { length: (length - 1 - minXValue) * stepsPerPosition + 1 },
    (_, index) => minXValue + index / stepsPerPosition,
  );
  // If only the distance matters, the key's position is arbitrary.
  const queryPositions = isByDistance ? xValues.map((distance) => -distance) : xValues;
  const scores = await computeScoresAtPositions(engine, vectorPair, queryPositions, isByDistance ? 0 : key);
  return { xValues, isByDistance, isContinuous: isOneDimensional, key, scores };
}

function findMaxLength([a, b]: readonly [number, number], tables: readonly Float32Array[], width: number): number {
  let maxLength = 0;
  for (const data of tables) {
    for (let row = 0; row < data.length; row += width)
      maxLength = Math.max(maxLength, Math.hypot(entryAt(data, row + a), entryAt(data, row + b)));
  }
  return maxLength;
}

/** Limits the number of compared vectors, because `tableStatistics` takes quadratic time. */
const MAX_COMPARED_VECTORS = 1024;

async function changesLength(engine: Engine, { shape, data }: Tensor, channels: Rotation['channels']): Promise<boolean> {
  const [rows = 0, width = 0] = shape;
  const lengths: number[] = [];
  for (let row = 0; row < Math.min(rows, MAX_COMPARED_VECTORS / channels.length); row++)
    for (const [a, b] of channels) lengths.push(entryAt(data, row * width + a), entryAt(data, row * width + b));
  const { minNorm, maxNorm } = await tableStatistics(engine, { table: { shape: [lengths.length / 2, 2], data: lengths } });
  return minNorm < 1 - 1e-5 || maxNorm > 1 + 1e-5;
}
