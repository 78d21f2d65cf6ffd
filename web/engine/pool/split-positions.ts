// The positions and segments of an attention that is split by queries.

import { elementsOf } from '../request/strided.ts';
import type { AttentionRequest } from '../types/api.ts';

/** The positions of a request, as needed to split an attention. */
export interface SplitPositions {
  /** The position of each query. */
  readonly queries: ArrayLike<number>;
  /** The number of keys in the segment of the query at index `row` whose position is at most `limit`. */
  readonly keysUpTo: (limit: number, row: number) => number;
}

/** Positions as one integer per token; undefined for fractions, whose rounded differences depend on the tokens that are computed together. */
function wholeNumbers(positions: AttentionRequest['keyPositions'], tokens: number): ArrayLike<number> | undefined {
  const isTensor = typeof positions === 'object' && positions !== null && 'shape' in positions;
  if (isTensor && !(Array.isArray(positions.shape) && positions.shape.length === 1 && positions.shape[0] === tokens)) return undefined;
  const list = isTensor ? elementsOf(positions) : positions;
  if (!Array.isArray(list) && !ArrayBuffer.isView(list)) return undefined;
  const numbers = list as ArrayLike<number>;
  return numbers.length === tokens && Array.prototype.every.call(numbers, Number.isSafeInteger) ? numbers : undefined;
}

const clamped = (value: number, max: number) => Math.max(0, Math.min(max, value));

/** The number of values in an ascending list that are at most `limit`. */
function countUpTo(sorted: ArrayLike<number>, limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Groups the values by the segment of their index. */
function bySegment(segments: ArrayLike<number>, values: ArrayLike<number>): Map<number, number[]> {
  const all = new Map<number, number[]>();
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] as number;
    const list = all.get(segment) ?? [];
    list.push(values[i] as number);
    all.set(segment, list);
  }
  return all;
}

interface Segments {
  readonly queries: ArrayLike<number>;
  readonly keys: ArrayLike<number>;
}

/** The segment of each query and key, which is 0 without ids; undefined if the core will reject the ids. */
function segmentsOf({ q, k, querySegmentIds, keySegmentIds }: AttentionRequest): Segments | undefined {
  const [queries = 0, keys = 0] = [q.shape[1], k.shape[1]];
  if (querySegmentIds === undefined && keySegmentIds === undefined) return { queries: new Uint8Array(queries), keys: new Uint8Array(keys) };
  const ofQueries = wholeNumbers(querySegmentIds, queries);
  const ofKeys = wholeNumbers(keySegmentIds, keys);
  return ofQueries && ofKeys && { queries: ofQueries, keys: ofKeys };
}

/** The default positions of the core: keys are counted from 0 in each segment, and the last query of a segment is at the position of its last key. */
function positionsOf({ queries, keys }: Segments): { queries: number[]; keys: number[] } {
  const next = new Map<number, number>();
  const count = (segment: number, step: number) => {
    const before = next.get(segment) ?? 0;
    next.set(segment, before + step);
    return before;
  };
  const ofKeys = Array.from(keys, (segment) => count(segment, 1));
  for (const segment of Array.from(queries)) count(segment, -1);
  return { keys: ofKeys, queries: Array.from(queries, (segment) => count(segment, 1)) };
}

/** The positions of a request; undefined if it cannot be split or the core will reject it. */
export function splitPositions(request: AttentionRequest): SplitPositions | undefined {
  const { q, k, positionOffset, queryPositions, keyPositions, keySegmentIds, tokenTensors } = request;
  const [queries = 0, keys = 0] = [q.shape[1], k.shape[1]];
  const segments = segmentsOf(request);
  if (!segments) return undefined;
  const isPacked = keySegmentIds !== undefined;
  // With token tensors, queries must be the last tokens; those of a part are not.
  if (isPacked && (positionOffset !== undefined || tokenTensors !== undefined)) return undefined;
  const isPlaced = queryPositions !== undefined || keyPositions !== undefined;
  if (!isPacked && !isPlaced) {
    const first = positionOffset ?? keys - queries;
    if (!Number.isFinite(first)) return undefined;
    return { queries: Array.from({ length: queries }, (_, row) => first + row), keysUpTo: (limit) => clamped(limit + 1, keys) };
  }
  const counted = isPlaced ? undefined : positionsOf(segments);
  const ofQueries = counted?.queries ?? wholeNumbers(queryPositions, queries);
  const ofKeys = counted?.keys ?? wholeNumbers(keyPositions, keys);
  if (!ofQueries || !ofKeys || positionOffset !== undefined) return undefined;
  const sorted = new Map([...bySegment(segments.keys, ofKeys)].map(([segment, list]) => [segment, Float64Array.from(list).sort()]));
  const keysUpTo = (limit: number, row: number) => countUpTo(sorted.get(segments.queries[row] as number) ?? [], limit);
  return { queries: ofQueries, keysUpTo };
}

const part = (list: ArrayLike<number>, first: number, last: number) => Array.prototype.slice.call(list, first, last) as number[];

/** The fields for the positions and segments of the queries [first, last). */
export function partOfPositions(request: AttentionRequest, first: number, last: number): Partial<AttentionRequest> {
  const { q, k, positionOffset, queryPositions, querySegmentIds } = request;
  const segments = querySegmentIds === undefined ? undefined : (segmentsOf(request) as Segments);
  const ids = segments ? { querySegmentIds: part(segments.queries, first, last) } : {};
  if (queryPositions !== undefined) {
    const list = 'shape' in queryPositions ? elementsOf(queryPositions) : queryPositions;
    return { ...ids, queryPositions: part(list as ArrayLike<number>, first, last) };
  }
  if (!segments) return { positionOffset: (positionOffset ?? (k.shape[1] as number) - (q.shape[1] as number)) + first };
  const { queries, keys } = positionsOf(segments);
  return { ...ids, queryPositions: queries.slice(first, last), keyPositions: keys };
}
