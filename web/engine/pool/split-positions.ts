// The positions of an attention that is split by queries.

import { elementsOf } from '../request/strided.ts';
import type { AttentionRequest } from '../types/api.ts';

/** The part of positions that splitting an attention needs. */
export interface SplitPositions {
  /** The position of each query. */
  readonly queries: ArrayLike<number>;
  /** The number of keys whose position is at most `limit`. */
  readonly keysUpTo: (limit: number) => number;
}

/** One whole number per token, or undefined. Differences of other numbers are rounded, depending on which tokens are computed together. */
function wholeNumbers(positions: AttentionRequest['keyPositions'], tokens: number): ArrayLike<number> | undefined {
  const isTensor = typeof positions === 'object' && positions !== null && 'shape' in positions;
  if (isTensor && !(Array.isArray(positions.shape) && positions.shape.length === 1 && positions.shape[0] === tokens)) return undefined;
  const list = isTensor ? elementsOf(positions) : positions;
  if (!Array.isArray(list) && !ArrayBuffer.isView(list)) return undefined;
  return list.length === tokens && Array.prototype.every.call(list, Number.isSafeInteger) ? (list as ArrayLike<number>) : undefined;
}

const clamped = (value: number, max: number) => Math.max(0, Math.min(max, value));

/** The positions of a request, or undefined when it cannot be split or the core will reject it. */
export function splitPositions({ q, k, positionOffset, queryPositions, keyPositions }: AttentionRequest): SplitPositions | undefined {
  const [queries = 0, keys = 0] = [q.shape[1], k.shape[1]];
  if (queryPositions === undefined && keyPositions === undefined) {
    const first = positionOffset ?? keys - queries;
    if (!Number.isFinite(first)) return undefined;
    return { queries: Array.from({ length: queries }, (_, row) => first + row), keysUpTo: (limit) => clamped(limit + 1, keys) };
  }
  const ofQueries = wholeNumbers(queryPositions, queries);
  const ofKeys = wholeNumbers(keyPositions, keys);
  if (!ofQueries || !ofKeys || positionOffset !== undefined) return undefined;
  const sorted = Float64Array.from(ofKeys).sort();
  const keysUpTo = (limit: number) => {
    let [low, high] = [0, keys];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as number) <= limit) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { queries: ofQueries, keysUpTo };
}

/** The fields for the positions of the queries [first, last). */
export function partOfPositions(request: AttentionRequest, first: number, last: number): Partial<AttentionRequest> {
  const { q, k, positionOffset, queryPositions } = request;
  if (queryPositions === undefined) return { positionOffset: (positionOffset ?? (k.shape[1] as number) - (q.shape[1] as number)) + first };
  const list = 'shape' in queryPositions ? elementsOf(queryPositions) : queryPositions;
  return { queryPositions: Array.prototype.slice.call(list, first, last) as number[] };
}
