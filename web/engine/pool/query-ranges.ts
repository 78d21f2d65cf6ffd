// Splits an attention call into parts with fewer queries, one for each worker. Rows are independent of each other, so the joined results
// are bitwise equal to those of the whole call. Splitting by heads would change encodings such as ALiBi, whose slopes depend on the number
// of heads.

import { describeHandle } from '../handles.ts';
import { isWithinData, rowMajorStrides } from '../request/strided.ts';
import type {
  AttentionRequest,
  AttentionResult,
  MaskTensor,
  PoolingOptions,
  Tensor,
  TensorHandle,
  TensorInput,
  TensorView,
} from '../types/api.ts';
import { computeSplitPositions, type SplitPositions, slicePositions } from './split-positions.ts';

/** Pooling options with all defaults filled in. */
type ResolvedPooling = { readonly [K in 'rows' | 'columns' | 'cellSize']: NonNullable<PoolingOptions[K]> };

const isRange = (range: readonly number[], count: number) =>
  Array.isArray(range) && range.length === 2 && range.every(Number.isInteger) && 0 <= range[0] && range[0] < range[1] && range[1] <= count;

/** Fills in the defaults of the pooling options. Returns undefined if the core will reject the options. */
function resolvePooling({ q, k, pooling = {} }: AttentionRequest): ResolvedPooling | undefined {
  const queries = q.shape[1] as number;
  const keys = k.shape[1] as number;
  const { rows = [0, queries], columns = [0, keys], size = 64 } = pooling;
  if (!isRange(rows, queries) || !isRange(columns, keys) || !(size >= 1)) return undefined;
  const defaultExtent = ([from, to]: readonly [number, number]) => Math.ceil((to - from) / size);
  const { cellSize = [defaultExtent(rows), defaultExtent(columns)] } = pooling;
  const isValidCellSize =
    Array.isArray(cellSize) && cellSize.length === 2 && cellSize.every((extent) => Number.isInteger(extent) && extent >= 1);
  return isValidCellSize && !(pooling.cellSize && pooling.size) ? { rows, columns, cellSize } : undefined;
}

/** Rounds a row inside the pooled region to the nearest cell boundary. Rows outside the region are returned unchanged. */
function roundToCellEnd({ rows: [from, to], cellSize: [height] }: ResolvedPooling, row: number): number {
  if (row <= from || row >= to) return row;
  return Math.min(to, from + Math.round((row - from) / height) * height);
}

/** Returns the pooling options for the queries [begin, end), or undefined if none of these queries is in the pooled region. */
function slicePooling({ rows: [from, to], columns, cellSize }: ResolvedPooling, begin: number, end: number): ResolvedPooling | undefined {
  const rows = [Math.max(from, begin) - begin, Math.min(to, end) - begin] as const;
  return rows[0] < rows[1] ? { rows, columns, cellSize } : undefined;
}

// attnMask and attnBias have the shape [.., queries, keys]; an axis of length 1 is broadcast.
type PairTensor = MaskTensor | AttentionRequest['attnBias'];
type StridedMask = MaskTensor & Pick<TensorView, 'strides' | 'offset'>;

/**
 * Returns true if the array is absent or can be split by queries. The data of a handle is inside the engine, so a handle cannot be split.
 * Arrays that the core will reject are not split either.
 */
function canSplitPairs(pairTensor: PairTensor, queries: number): boolean {
  if (pairTensor === undefined || pairTensor === null) return true;
  const { shape, data } = pairTensor as StridedMask;
  if (describeHandle(pairTensor) !== undefined || !Array.isArray(shape) || shape.length < 2 || shape.length > 3) return false;
  const isList = Array.isArray(data) || ArrayBuffer.isView(data);
  return isList && [1, queries].includes(shape.at(-2) as number) && isWithinData(pairTensor as Parameters<typeof isWithinData>[0]);
}

/** Returns a view of the rows for the queries [begin, end). An array with one broadcast row is returned as it is. */
function slicePairs<P extends PairTensor>(pairTensor: P, begin: number, end: number): P {
  if (pairTensor === undefined || pairTensor === null) return pairTensor;
  const { shape, strides = rowMajorStrides(shape), offset = 0, data } = pairTensor as StridedMask;
  if (shape.at(-2) === 1) return pairTensor;
  const rows = [...shape.slice(0, -2), end - begin, shape.at(-1) as number];
  return { shape: rows, strides, offset: offset + begin * (strides.at(-2) as number), data } as unknown as P;
}

/** The queries [begin, end) of every head. */
export interface QueryRange {
  readonly begin: number;
  readonly end: number;
}

/**
 * Minimum number of multiply-adds per part. For smaller parts, copying the keys and values takes longer than a second worker saves
 * (measured).
 */
const MIN_PART_COST = 2 ** 23;
/** Maximum number of elements in a result. The core rejects larger results. */
const MAX_RESULT_ELEMENTS = 2 ** 28;

/** Outputs whose parts can be concatenated along the query axis. */
const JOINABLE_OUTPUTS: ReadonlySet<string> = new Set(['weights', 'scores', 'bias', 'pooledWeights', 'sinkWeights']);
const hasFullRows = (outputs: AttentionRequest['outputs'] = []) =>
  outputs.some((output) => output !== 'pooledWeights' && output !== 'sinkWeights');

const isWellFormed = (t: TensorInput | undefined) =>
  t !== undefined &&
  Array.isArray(t.shape) &&
  t.shape.length === 3 &&
  t.shape.every((extent) => Number.isInteger(extent) && extent > 0) &&
  (isHandle(t) || isWithinData(t));
const isHandle = (t: TensorInput): t is TensorHandle => describeHandle(t) !== undefined;

/** Estimates the cost of each query: 1 plus the number of keys that the core processes. */
function computeQueryCosts(
  { k, mask, window, sinkTokens = 0, outputs }: AttentionRequest,
  { queries, countKeysUpTo }: SplitPositions,
): number[] {
  const keys = k.shape[1] as number;
  const writesMaskedKeys = hasFullRows(outputs); // otherwise the core skips masked keys
  return Array.from(queries, (position, row) => {
    const lastVisiblePosition = mask === 'causal' ? position : window ? position + window - 1 : Infinity;
    const lastHiddenPosition = window ? position - window : -Infinity;
    const [keysInReach, keysBeforeWindow] = [countKeysUpTo(lastVisiblePosition, row), countKeysUpTo(lastHiddenPosition, row)];
    const sinkKeys = window ? Math.min(countKeysUpTo(sinkTokens - 1, row), keysBeforeWindow, keysInReach) : 0;
    return 1 + (writesMaskedKeys ? keys : Math.max(0, keysInReach - keysBeforeWindow) + sinkKeys);
  });
}

/**
 * Splits the queries into at most `workers` ranges of about equal cost. Returns an empty list if the request is invalid or too small to
 * split.
 */
export function splitQueries(request: AttentionRequest, workers: number): QueryRange[] {
  const { q, k, v, window, outputs = [] } = request;
  if (![q, k, v].every(isWellFormed) || isHandle(q) || !Number.isFinite(window ?? 1)) return [];
  const positions = computeSplitPositions(request);
  if (!positions || !Array.isArray(outputs) || !outputs.every((output) => JOINABLE_OUTPUTS.has(output))) return [];
  const [heads = 0, queries = 0, width = 0] = q.shape;
  if (![request.attnMask, request.attnBias].every((pairTensor) => canSplitPairs(pairTensor, queries))) return [];
  const maxResultElements = heads * queries * Math.max(v.shape[2] as number, hasFullRows(outputs) ? (k.shape[1] as number) : 0);
  const pooling = outputs.includes('pooledWeights') ? resolvePooling(request) : undefined;
  if (maxResultElements > MAX_RESULT_ELEMENTS || (outputs.includes('pooledWeights') && !pooling)) return [];
  const queryCosts = computeQueryCosts(request, positions);
  const totalCost = queryCosts.reduce((sum, cost) => sum + cost, 0);
  const rangeCount = Math.min(workers, queries, Math.floor((totalCost * heads * (width + (v.shape[2] as number))) / MIN_PART_COST));
  const ranges: QueryRange[] = [];
  let begin = 0;
  let sum = 0;
  queryCosts.forEach((cost, row) => {
    sum += cost;
    if (ranges.length === rangeCount || sum < (totalCost * (ranges.length + 1)) / rangeCount) return;
    const end = pooling ? roundToCellEnd(pooling, row + 1) : row + 1;
    if (end > begin) ranges.push({ begin, end });
    begin = Math.max(begin, end);
  });
  return ranges;
}

export function sliceRequest(request: AttentionRequest, { begin, end }: QueryRange): AttentionRequest {
  const {
    q: queryTensor,
    k,
    v,
    positionOffset: _,
    pooling: _pooling,
    out: _out,
    ...otherFields
  } = request as AttentionRequest & { readonly out?: unknown };
  const q = queryTensor as Exclude<TensorInput, TensorHandle>; // splitQueries never splits handles
  const [heads = 0, , width = 0] = q.shape;
  const strides = q.strides ?? rowMajorStrides(q.shape);
  const pooling = request.outputs?.includes('pooledWeights')
    ? slicePooling(resolvePooling(request) as ResolvedPooling, begin, end)
    : undefined;
  return {
    ...otherFields,
    ...(pooling ? { pooling } : { outputs: (request.outputs ?? []).filter((output) => output !== 'pooledWeights') }),
    q: { shape: [heads, end - begin, width], strides, offset: (q.offset ?? 0) + begin * (strides[1] as number), data: q.data },
    k,
    v,
    ...slicePositions(request, begin, end),
    attnMask: slicePairs(request.attnMask, begin, end),
    attnBias: slicePairs(request.attnBias, begin, end),
  };
}

/** Concatenates tensors [heads, queries, channels] or [queries, channels] along the query axis. */
function concatenateQueries(parts: readonly Tensor[]): Tensor {
  const shape = parts[0]?.shape ?? [];
  const [heads = 1, width = 0] = [shape.length === 3 ? shape[0] : 1, shape.at(-1)];
  const queries = parts.reduce((sum, part) => sum + (part.shape.at(-2) as number), 0);
  const data = new Float32Array(heads * queries * width);
  let row = 0;
  for (const part of parts) {
    const rows = part.shape.at(-2) as number;
    for (let head = 0; head < heads; head++) {
      data.set(part.data.subarray(head * rows * width, (head + 1) * rows * width), (head * queries + row) * width);
    }
    row += rows;
  }
  return { shape: [...shape.slice(0, -2), queries, width], data };
}

function concatenateRows(parts: readonly Tensor[]): Tensor {
  const { shape, data } = concatenateQueries(parts.map((part) => ({ shape: [...part.shape, 1], data: part.data })));
  return { shape: shape.slice(0, -1), data };
}

export function joinResults(parts: readonly AttentionResult[]): AttentionResult {
  const joinOutput = (name: 'weights' | 'scores' | 'bias') => {
    const tensors = parts.flatMap((part) => part[name] ?? []);
    return tensors.length > 0 ? { [name]: concatenateQueries(tensors) } : {};
  };
  const sinkParts = parts.flatMap(({ sinkWeights }) => sinkWeights ?? []);
  const pooledParts = parts.flatMap(({ pooledWeights }) => pooledWeights ?? []);
  return {
    output: concatenateQueries(parts.map(({ output }) => output)),
    ...joinOutput('weights'),
    ...joinOutput('scores'),
    ...joinOutput('bias'),
    ...(sinkParts.length > 0 ? { sinkWeights: concatenateRows(sinkParts) } : {}),
    ...(pooledParts.length > 0
      ? {
          pooledWeights: {
            mean: concatenateQueries(pooledParts.map(({ mean }) => mean)),
            max: concatenateQueries(pooledParts.map(({ max }) => max)),
          },
        }
      : {}),
  };
}
