// The map of an attention that is cut by queries: parts end where cells end, so that no cell has rows of two of them.

import type { AttentionRequest, MapRequest } from './types.ts';

/** A map whose every default is filled in, as the core does it. */
export type WholeMap = Required<Pick<MapRequest, 'rows' | 'columns' | 'cell'>>;

const isRange = (pair: readonly number[], count: number) =>
  Array.isArray(pair) && pair.length === 2 && pair.every(Number.isInteger) && 0 <= pair[0] && pair[0] < pair[1] && pair[1] <= count;

/** The map a request wants, or undefined where the core has something to say about it. */
export function wholeMap({ q, k, map = {} }: AttentionRequest): WholeMap | undefined {
  const queries = q.shape[1] as number;
  const keys = k.shape[1] as number;
  const { rows = [0, queries], columns = [0, keys], size = 64 } = map;
  if (!isRange(rows, queries) || !isRange(columns, keys) || !(size >= 1)) return undefined;
  const finest = ([from, to]: readonly [number, number]) => Math.ceil((to - from) / size);
  const { cell = [finest(rows), finest(columns)] } = map;
  const known = Array.isArray(cell) && cell.length === 2 && cell.every((extent) => Number.isInteger(extent) && extent >= 1);
  return known && !(map.cell && map.size) ? { rows, columns, cell } : undefined;
}

/** The end of a cell that is nearest to a row. */
export function cellEnd({ rows: [from, to], cell: [height] }: WholeMap, row: number): number {
  if (row <= from || row >= to) return row;
  return Math.min(to, from + Math.round((row - from) / height) * height);
}

/** What the queries [first, last) show of it, or undefined when they show nothing. */
export function partOfMap({ rows: [from, to], columns, cell }: WholeMap, first: number, last: number): WholeMap | undefined {
  const rows = [Math.max(from, first) - first, Math.min(to, last) - first] as const;
  return rows[0] < rows[1] ? { rows, columns, cell } : undefined;
}
