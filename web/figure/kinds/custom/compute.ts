// Attention weights for the user's arrays: either provided directly, or computed from provided queries and keys.

import { entryAt } from '../../../charts/entry-at.ts';
import { explainSoftmax, permutationError, similarity } from '../../../engine/analysis.ts';
import type { Tensor } from '../../../engine/index.ts';
import { type Region, resolveRegion } from '../../compute/region.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine, KindContext } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import { strings } from './strings.ts';

export interface CustomSpec extends Region {
  readonly q: Tensor | undefined;
  readonly k: Tensor | undefined;
  readonly weights: Tensor | undefined;
  readonly tokens: readonly string[];
  readonly keyTokens: readonly string[];
  readonly encoding: EncodingSpec;
  readonly mask: 'none' | 'causal';
  readonly window: number;
  readonly layers: number;
  readonly layer: number;
  readonly head: number;
}

/** Queries [heads, queries, head_dim] and keys [kv_heads, keys, head_dim]. */
interface QueriesAndKeys {
  readonly q: Tensor;
  readonly k: Tensor;
}
interface ArraySizes {
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
}
type DisplayedRegion = ReturnType<typeof resolveRegion>;
interface DisplayedMap {
  /** [cells, cells] */
  readonly map: Tensor;
  readonly residual: number;
}

export const EXAMPLE_REQUEST = { seed: 1, shape: [2, 24, 16] } as const;

const getHeadSizes = ({ shape: [heads = 0, tokens = 0, headDim = 0] }: Tensor) => ({ heads, tokens, headDim });

/** Returns the name of a field that is set but has no effect on provided weights, or undefined if there is none. */
function findFieldWithoutEffect({ encoding: { id, ...params }, mask, window }: CustomSpec): string | undefined {
  const [param] = Object.keys(params);
  if (id !== 'none' || param !== undefined) return id === 'none' ? param : 'encoding';
  return mask === 'causal' ? 'mask' : window > 0 ? 'window' : undefined;
}

/** Selects the heads of the chosen layer. Throws a SpecError if the number of heads is not a multiple of `layers`. */
function selectLayer({ shape: [heads = 0, ...rest], data }: Tensor, { layers, layer }: CustomSpec): Tensor {
  if (heads % layers !== 0) throw new SpecError('layers', strings.invalidLayerCount(layers, heads));
  if (layer >= layers) throw new SpecError('layer', strings.outOfRange('layer', layer, layers - 1));
  const size = data.length / layers;
  return { shape: [heads / layers, ...rest], data: layers === 1 ? data : data.slice(layer * size, (layer + 1) * size) };
}

/**
 * Returns the arrays of the selected layer, or random queries and keys if the user provides none. Rejects with a
 * SpecError if arrays are missing or do not fit together.
 */
async function selectArrays(spec: CustomSpec, engine: Engine): Promise<QueriesAndKeys | { readonly weights: Tensor }> {
  const [q, k, weights] = [spec.q, spec.k, spec.weights].map((array) => array && selectLayer(array, spec));
  const { tokens, keyTokens } = spec;
  if (weights) {
    const fieldName = findFieldWithoutEffect(spec);
    if (fieldName !== undefined) throw new SpecError(fieldName, strings.noEffectOnWeights(fieldName));
    if (q || k) throw new SpecError('weights', strings.conflictingArrays);
    return { weights };
  }
  if (q && k) {
    const [querySizes, keySizes] = [getHeadSizes(q), getHeadSizes(k)];
    if (querySizes.headDim !== keySizes.headDim) throw new SpecError('k', strings.differentHeadDims(q.shape, k.shape));
    if (querySizes.heads % keySizes.heads !== 0) throw new SpecError('k', strings.invalidKeyHeadCount(querySizes.heads, keySizes.heads));
    return { q, k };
  }
  if (q || k) throw new SpecError(q ? 'k' : 'q', q ? strings.missingPartner('q', 'k') : strings.missingPartner('k', 'q'));
  if (tokens.length + keyTokens.length > 0) throw new SpecError('q', strings.missingArrays);
  if (spec.layers > 1) throw new SpecError('layers', strings.needsArrays('layers'));
  if (spec.layer > 0) throw new SpecError('layer', strings.outOfRange('layer', spec.layer, 0));
  const x = await engine.randomNormal({ ...EXAMPLE_REQUEST, shape: [...EXAMPLE_REQUEST.shape] });
  return { q: x, k: x };
}

/** Returns the displayed region of provided weights, and the largest deviation of a row sum from 1. */
async function checkProvidedWeights(
  weights: Tensor,
  { queries, keys }: ArraySizes,
  { head, size }: CustomSpec,
  region: DisplayedRegion,
  engine: Engine,
): Promise<DisplayedMap> {
  const { rows, columns, cell, cells, across } = region;
  if (cell > 1) throw new SpecError('weights', strings.tooManyTokens(Math.max(queries, keys), size));
  const data = new Float32Array(cells * across);
  // The core computes each row's sum as its dot product with a row of ones.
  const table = new Float32Array((cells + 1) * keys);
  for (let row = 0; row < cells; row += 1) {
    const rowStart = (head * queries + rows[0] + row) * keys;
    data.set(weights.data.subarray(rowStart + columns[0], rowStart + columns[1]), row * across);
    table.set(weights.data.subarray(rowStart, rowStart + keys), row * keys);
  }
  table.fill(1, cells * keys);
  const products = await similarity(engine, { table: { shape: [cells + 1, keys], data: table }, metric: 'dot' });
  const sums = Float32Array.from({ length: cells }, (_, row) => entryAt(products.data, row * (cells + 1) + cells));
  const { maxAbsDiff } = await permutationError(engine, {
    before: { shape: [cells, 1], data: new Float32Array(cells).fill(1) },
    after: { shape: [cells, 1], data: sums },
    order: Array.from({ length: cells }, (_, row) => row),
  });
  return { map: { shape: [cells, across], data }, residual: maxAbsDiff };
}

/** Computes weights from queries and keys, and compares one row with a float64 computation. */
async function computeWeights({ q, k }: QueriesAndKeys, spec: CustomSpec, region: DisplayedRegion, engine: Engine): Promise<DisplayedMap> {
  const { head, mask, window } = spec;
  const { rows, columns, cell, cells, across } = region;
  const sharedRequest = { q, k, encoding: withUsedParams(spec.encoding, engine.encodings), mask, ...(window > 0 ? { window } : {}) };
  const { heads, tokens } = getHeadSizes(k);
  const { pooledWeights } = await engine.attention({
    ...sharedRequest,
    v: { shape: [heads, tokens, 1], data: new Float32Array(heads * tokens) },
    outputs: ['pooledWeights'],
    pooling: { rows, columns, cellSize: [cell, cell] },
  });
  const { maxAbsDiff } = await explainSoftmax(engine, { ...sharedRequest, head, query: rows[1] - 1 });
  const mapStart = head * cells * across;
  return {
    map: { shape: [cells, across], data: pooledWeights.mean.data.slice(mapStart, mapStart + cells * across) },
    residual: maxAbsDiff,
  };
}

/** Returns `words`, or undefined if it is empty. Throws a SpecError if there is not one word per token. */
function checkWords(name: 'tokens' | 'keyTokens', words: readonly string[], tokens: number): readonly string[] | undefined {
  if (words.length > 0 && words.length !== tokens) throw new SpecError(name, strings.wrongWordCount(name, words.length, tokens));
  return words.length > 0 ? words : undefined;
}

export async function computeCustomAttention(spec: CustomSpec, { engine }: KindContext) {
  const arrays = await selectArrays(spec, engine);
  const { heads, tokens: queries } = getHeadSizes('weights' in arrays ? arrays.weights : arrays.q);
  const keys = 'weights' in arrays ? getHeadSizes(arrays.weights).headDim : getHeadSizes(arrays.k).tokens;
  const sizes: ArraySizes = { heads, queries, keys };
  for (const [name, count] of [
    ['head', heads],
    ['query', queries],
    ['key', keys],
  ] as const)
    if (spec[name] >= count) throw new SpecError(name, strings.outOfRange(name, spec[name], count - 1));
  const queryWords = checkWords('tokens', spec.tokens, queries);
  // Without `keyTokens`, the keys have the words of the queries if both have the same length.
  const keyWords = checkWords('keyTokens', spec.keyTokens, keys) ?? (queries === keys ? queryWords : undefined);
  const region = resolveRegion(spec, queries, keys);
  const result = await ('weights' in arrays
    ? checkProvidedWeights(arrays.weights, sizes, spec, region, engine)
    : computeWeights(arrays, spec, region, engine));
  return { ...result, ...sizes, arrays, queryWords, keyWords, isExample: !(spec.weights || spec.q) };
}
export type CustomResults = Awaited<ReturnType<typeof computeCustomAttention>>;
