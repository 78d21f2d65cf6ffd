// How one attention is cut between workers: by queries, never by heads, because slopes, tables drawn from a seed and more depend on
// how many heads there are. A row's result does not depend on which rows are beside it, so the parts together are the whole, bit
// for bit.

import { cellEnd, partOfMap, type WholeMap, wholeMap } from './map-cut.ts';
import type { AttentionRequest, AttentionResult, Tensor } from './types.ts';

/** Queries [first, last) of every head. */
export interface QueryRange {
  readonly first: number;
  readonly last: number;
}

/** Below this many multiply-adds a part, sending the keys and values costs more than a second worker saves (measured). */
const SMALLEST_PART = 2 ** 23;
/** No answer has more numbers: the core refuses it, in words that name its size. */
const MOST_NUMBERS = 2 ** 28;

/** What can be wanted of an answer; the first three are (heads, queries, keys). */
const joinable: ReadonlySet<string> = new Set(['weights', 'scores', 'bias', 'map']);
const fillsRows = (want: AttentionRequest['want'] = []) => want.some((word) => word !== 'map');

const wellFormed = (t: Tensor | undefined): t is Tensor =>
  t?.data instanceof Float32Array &&
  Array.isArray(t.shape) &&
  t.shape.length === 3 &&
  t.shape.every((extent) => Number.isInteger(extent) && extent > 0) &&
  t.data.length === t.shape.reduce((a, b) => a * b);

/** The keys each query is worth: those it sees, where the core can pass over the others. */
function costs({ q, k, mask, window, want, ...request }: AttentionRequest): number[] {
  const queries = q.shape[1] as number;
  const keys = k.shape[1] as number;
  const offset = request.offset ?? keys - queries;
  const whole = fillsRows(want); // then hidden keys are written too
  return Array.from({ length: queries }, (_, row) => {
    const position = offset + row;
    const first = whole || !window ? 0 : position - window + 1;
    const last = whole ? keys : mask === 'causal' ? position + 1 : window ? position + window : keys;
    return 1 + Math.max(0, Math.min(keys, last) - Math.max(0, first));
  });
}

/** Ranges of equal cost, at most `workers`; one range when the request is small, or not of a form that can be cut. */
export function queryRanges(request: AttentionRequest, workers: number): QueryRange[] {
  const { q, k, v, offset, window, want = [] } = request;
  if (![q, k, v].every(wellFormed) || !Number.isFinite(offset ?? 0) || !Number.isFinite(window ?? 1)) return [];
  if (!Array.isArray(want) || !want.every((word) => joinable.has(word))) return [];
  const [heads = 0, queries = 0, width = 0] = q.shape;
  const largest = heads * queries * Math.max(v.shape[2] as number, fillsRows(want) ? (k.shape[1] as number) : 0);
  const map = want.includes('map') ? wholeMap(request) : undefined;
  if (largest > MOST_NUMBERS || (want.includes('map') && !map)) return [];
  const each = costs(request);
  const total = each.reduce((sum, cost) => sum + cost, 0);
  const parts = Math.min(workers, queries, Math.floor((total * heads * (width + (v.shape[2] as number))) / SMALLEST_PART));
  const ranges: QueryRange[] = [];
  let first = 0;
  let sum = 0;
  each.forEach((cost, row) => {
    sum += cost;
    if (ranges.length === parts || sum < (total * (ranges.length + 1)) / parts) return;
    const last = map ? cellEnd(map, row + 1) : row + 1;
    if (last > first) ranges.push({ first, last });
    first = Math.max(first, last);
  });
  return ranges;
}

/** The request of one range. */
export function partOf(request: AttentionRequest, { first, last }: QueryRange): AttentionRequest {
  const { q, k, v, offset, map: _, ...rest } = request;
  const [heads = 0, queries = 0, width = 0] = q.shape;
  const rows = new Float32Array(heads * (last - first) * width);
  for (let head = 0; head < heads; head++) {
    const start = head * queries;
    rows.set(q.data.subarray((start + first) * width, (start + last) * width), head * (last - first) * width);
  }
  const map = request.want?.includes('map') ? partOfMap(wholeMap(request) as WholeMap, first, last) : undefined;
  return {
    ...rest,
    ...(map ? { map } : { want: (request.want ?? []).filter((word) => word !== 'map') }),
    q: { shape: [heads, last - first, width], data: rows },
    k,
    v,
    offset: (offset ?? (k.shape[1] as number) - queries) + first,
  };
}

/** Parts (heads, some queries, any) one below the other within each head. */
function join(parts: readonly Tensor[]): Tensor {
  const [heads = 0, , width = 0] = parts[0]?.shape ?? [];
  const queries = parts.reduce((sum, part) => sum + (part.shape[1] as number), 0);
  const data = new Float32Array(heads * queries * width);
  let row = 0;
  for (const part of parts) {
    const rows = part.shape[1] as number;
    for (let head = 0; head < heads; head++) {
      data.set(part.data.subarray(head * rows * width, (head + 1) * rows * width), (head * queries + row) * width);
    }
    row += rows;
  }
  return { shape: [heads, queries, width], data };
}

export function joinResults(parts: readonly AttentionResult[]): AttentionResult {
  const named = (name: 'weights' | 'scores' | 'bias') => {
    const tensors = parts.flatMap((part) => part[name] ?? []);
    return tensors.length > 0 ? { [name]: join(tensors) } : {};
  };
  const maps = parts.flatMap(({ map }) => map ?? []);
  return {
    output: join(parts.map(({ output }) => output)),
    ...named('weights'),
    ...named('scores'),
    ...named('bias'),
    ...(maps.length > 0 ? { map: { mean: join(maps.map(({ mean }) => mean)), max: join(maps.map(({ max }) => max)) } } : {}),
  };
}
