// The pooled weights of an attention that is split by queries: parts end at cell boundaries, so that no cell contains rows of two parts.

import type { AttentionRequest, PoolingOptions } from '../types/api.ts';

/** A pooling request with all defaults resolved, as in the core. */
export type ResolvedMap = { readonly [K in 'rows' | 'columns' | 'cellSize']: NonNullable<PoolingOptions[K]> };

const isRange = (pair: readonly number[], count: number) =>
  Array.isArray(pair) && pair.length === 2 && pair.every(Number.isInteger) && 0 <= pair[0] && pair[0] < pair[1] && pair[1] <= count;

/** The resolved pooling of a request; undefined if the core will reject it. */
export function resolvedMap({ q, k, pooling = {} }: AttentionRequest): ResolvedMap | undefined {
  const queries = q.shape[1] as number;
  const keys = k.shape[1] as number;
  const { rows = [0, queries], columns = [0, keys], size = 64 } = pooling;
  if (!isRange(rows, queries) || !isRange(columns, keys) || !(size >= 1)) return undefined;
  const finest = ([from, to]: readonly [number, number]) => Math.ceil((to - from) / size);
  const { cellSize = [finest(rows), finest(columns)] } = pooling;
  const isValid = Array.isArray(cellSize) && cellSize.length === 2 && cellSize.every((extent) => Number.isInteger(extent) && extent >= 1);
  return isValid && !(pooling.cellSize && pooling.size) ? { rows, columns, cellSize } : undefined;
}

/** The cell boundary nearest to a row. */
export function cellEnd({ rows: [from, to], cellSize: [height] }: ResolvedMap, row: number): number {
  if (row <= from || row >= to) return row;
  return Math.min(to, from + Math.round((row - from) / height) * height);
}

/** The part of the pooled weights covered by the queries [first, last); undefined if there is none. */
export function partOfMap({ rows: [from, to], columns, cellSize }: ResolvedMap, first: number, last: number): ResolvedMap | undefined {
  const rows = [Math.max(from, first) - first, Math.min(to, last) - first] as const;
  return rows[0] < rows[1] ? { rows, columns, cellSize } : undefined;
}
