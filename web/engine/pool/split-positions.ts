import { readElements } from '../request/strided.ts';
import type { AttentionRequest } from '../types/api.ts';

export interface SplitPositions {
  /** The position of each query. */
  readonly queries: ArrayLike<number>;
  /** Counts the keys in the same segment as query `row` whose position is at most `limit`. */
  readonly countKeysUpTo: (limit: number, row: number) => number;
}

/**
 * Returns one whole-number position per token, or undefined if any position is fractional. Splitting the call would change how differences
 * of fractional positions are rounded.
 */
function readWholeNumbers(positions: AttentionRequest['keyPositions'], tokens: number): ArrayLike<number> | undefined {
  const isTensor = typeof positions === 'object' && positions !== null && 'shape' in positions;
  if (isTensor && !(Array.isArray(positions.shape) && positions.shape.length === 1 && positions.shape[0] === tokens)) return undefined;
  const list = isTensor ? readElements(positions) : positions;
  if (!Array.isArray(list) && !ArrayBuffer.isView(list)) return undefined;
  const numbers = list as ArrayLike<number>;
  return numbers.length === tokens && Array.prototype.every.call(numbers, Number.isSafeInteger) ? numbers : undefined;
}

const clampToCount = (value: number, max: number) => Math.max(0, Math.min(max, value));

/** Counts the values <= `limit` in a list in ascending order. */
function countUpTo(ascending: ArrayLike<number>, limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Collects the values of each segment in order. `segments[i]` is the segment of `values[i]`. */
function groupBySegment(segments: ArrayLike<number>, values: ArrayLike<number>): Map<number, number[]> {
  const valuesBySegment = new Map<number, number[]>();
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] as number;
    const segmentValues = valuesBySegment.get(segment) ?? [];
    segmentValues.push(values[i] as number);
    valuesBySegment.set(segment, segmentValues);
  }
  return valuesBySegment;
}

interface Segments {
  readonly queries: ArrayLike<number>;
  readonly keys: ArrayLike<number>;
}

/**
 * Returns the segment of each query and key. Without segment ids, every token is in segment 0. Returns undefined if the core will reject
 * the ids.
 */
function readSegments({ q, k, querySegmentIds, keySegmentIds }: AttentionRequest): Segments | undefined {
  const [queries = 0, keys = 0] = [q.shape[1], k.shape[1]];
  if (querySegmentIds === undefined && keySegmentIds === undefined) return { queries: new Uint8Array(queries), keys: new Uint8Array(keys) };
  const queryIds = readWholeNumbers(querySegmentIds, queries);
  const keyIds = readWholeNumbers(keySegmentIds, keys);
  return queryIds && keyIds && { queries: queryIds, keys: keyIds };
}

/**
 * Computes the core's default positions. In each segment, keys are numbered from 0, and the last query has the position of the last key.
 */
function computeDefaultPositions({ queries, keys }: Segments): { queries: number[]; keys: number[] } {
  const nextPositions = new Map<number, number>();
  const advance = (segment: number, increment: number) => {
    const position = nextPositions.get(segment) ?? 0;
    nextPositions.set(segment, position + increment);
    return position;
  };
  const keyPositions = Array.from(keys, (segment) => advance(segment, 1));
  for (const segment of Array.from(queries)) advance(segment, -1);
  return { keys: keyPositions, queries: Array.from(queries, (segment) => advance(segment, 1)) };
}

/**
 * Returns the query positions, and a function that counts keys by position. Returns undefined if the request cannot be split, or if the
 * core will reject it.
 */
export function computeSplitPositions(request: AttentionRequest): SplitPositions | undefined {
  const { q, k, positionOffset, queryPositions, keyPositions, keySegmentIds, tokenTensors } = request;
  const [queries = 0, keys = 0] = [q.shape[1], k.shape[1]];
  const segments = readSegments(request);
  if (!segments) return undefined;
  const isPacked = keySegmentIds !== undefined;
  // With segment ids, the core rejects `positionOffset`. Token tensors then require the queries to be the last tokens, which those of a
  // part are not.
  if (isPacked && (positionOffset !== undefined || tokenTensors !== undefined)) return undefined;
  const hasPositions = queryPositions !== undefined || keyPositions !== undefined;
  if (!isPacked && !hasPositions) {
    const firstPosition = positionOffset ?? keys - queries;
    if (!Number.isFinite(firstPosition)) return undefined;
    return {
      queries: Array.from({ length: queries }, (_, row) => firstPosition + row),
      countKeysUpTo: (limit) => clampToCount(limit + 1, keys),
    };
  }
  const defaultLists = hasPositions ? undefined : computeDefaultPositions(segments);
  const queryList = defaultLists?.queries ?? readWholeNumbers(queryPositions, queries);
  const keyList = defaultLists?.keys ?? readWholeNumbers(keyPositions, keys);
  if (!queryList || !keyList || positionOffset !== undefined) return undefined;
  const sortedKeys = new Map(
    [...groupBySegment(segments.keys, keyList)].map(([segment, list]) => [segment, Float64Array.from(list).sort()]),
  );
  const countKeysUpTo = (limit: number, row: number) => countUpTo(sortedKeys.get(segments.queries[row] as number) ?? [], limit);
  return { queries: queryList, countKeysUpTo };
}

const sliceList = (list: ArrayLike<number>, begin: number, end: number) => Array.prototype.slice.call(list, begin, end) as number[];

/** Returns the position and segment fields of a request that contains only the queries [begin, end). */
export function slicePositions(request: AttentionRequest, begin: number, end: number): Partial<AttentionRequest> {
  const { q, k, positionOffset, queryPositions, querySegmentIds } = request;
  const segments = querySegmentIds === undefined ? undefined : (readSegments(request) as Segments);
  const segmentFields = segments ? { querySegmentIds: sliceList(segments.queries, begin, end) } : {};
  if (queryPositions !== undefined) {
    const list = 'shape' in queryPositions ? readElements(queryPositions) : queryPositions;
    return { ...segmentFields, queryPositions: sliceList(list as ArrayLike<number>, begin, end) };
  }
  if (!segments) return { positionOffset: (positionOffset ?? (k.shape[1] as number) - (q.shape[1] as number)) + begin };
  const { queries, keys: keyPositions } = computeDefaultPositions(segments);
  return { ...segmentFields, queryPositions: queries.slice(begin, end), keyPositions };
}
