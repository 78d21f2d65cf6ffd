// The map of an attention that is split by queries: parts end at cell boundaries, so that no cell has rows of two parts.

import type { AttentionRequest, MapRequest } from '../types/api.ts';

/** A map request with all defaults resolved, as in the core. */
export type ResolvedMap = { readonly [K in 'rows' | 'columns' | 'cell']: NonNullable<MapRequest[K]> };

const isRange = (pair: readonly number[], count: number) =>
  Array.isArray(pair) && pair.length === 2 && pair.every(Number.isInteger) && 0 <= pair[0] && pair[0] < pair[1] && pair[1] <= count;

/** The resolved map of a request, or undefined when the core will reject it. */
export function resolvedMap({ q, k, map = {} }: AttentionRequest): ResolvedMap | undefined {
  const queries = q.shape[1] as number;
  const keys = k.shape[1] as number;
  const { rows = [0, queries], columns = [0, keys], size = 64 } = map;
  if (!isRange(rows, queries) || !isRange(columns, keys) || !(size >= 1)) return undefined;
  const finest = ([from, to]: readonly [number, number]) => Math.ceil((to - from) / size);
  const { cell = [finest(rows), finest(columns)] } = map;
  const isValid = Array.isArray(cell) && cell.length === 2 && cell.every((extent) => Number.isInteger(extent) && extent >= 1);
  return isValid && !(map.cell && map.size) ? { rows, columns, cell } : undefined;
}

/** The cell boundary nearest to a row. */
export function cellEnd({ rows: [from, to], cell: [height] }: ResolvedMap, row: number): number {
  if (row <= from || row >= to) return row;
  return Math.min(to, from + Math.round((row - from) / height) * height);
}

/** The part of the map covered by the queries [first, last), or undefined when there is none. */
export function partOfMap({ rows: [from, to], columns, cell }: ResolvedMap, first: number, last: number): ResolvedMap | undefined {
  const rows = [Math.max(from, first) - first, Math.min(to, last) - first] as const;
  return rows[0] < rows[1] ? { rows, columns, cell } : undefined;
}
