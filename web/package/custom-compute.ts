// The numbers of a figure of a caller's attention: provided weights, or those of queries and keys.

import { entryAt } from '../charts/entry-at.ts';
import { explainSoftmax, permutationError, similarity } from '../engine/analysis.ts';
import type { Tensor } from '../engine/index.ts';
import type { EncodingSpec } from '../figure/contract/fields.ts';
import type { Engine, KindContext } from '../figure/contract/kind.ts';
import { usedEncoding } from '../figure/contract/parameters.ts';
import { SpecError } from '../figure/contract/spec.ts';
import { regionOf } from '../figure/kinds/attention-map/compute.ts';
import { strings } from './custom-strings.ts';

export interface CustomSpec {
  readonly q: Tensor | undefined;
  readonly k: Tensor | undefined;
  readonly weights: Tensor | undefined;
  readonly tokens: readonly string[];
  readonly encoding: EncodingSpec;
  readonly mask: 'none' | 'causal';
  readonly window: number;
  readonly head: number;
  readonly span: number;
  readonly query: number;
  readonly key: number;
  readonly size: number;
}

type Region = ReturnType<typeof regionOf>;
interface Part {
  /** [cells, cells] */
  readonly map: Tensor;
  /** From the core: 0 up to rounding. */
  readonly residual: number;
}

const sides = ({ shape: [heads = 0, tokens = 0, headDim = 0] }: Tensor) => ({ heads, tokens, headDim });

/** The first field that only affects queries and keys, and would be ignored for weights. */
function withoutEffect({ encoding: { id, ...params }, mask, window }: CustomSpec): string | undefined {
  const [param] = Object.keys(params);
  if (id !== 'none' || param !== undefined) return id === 'none' ? param : 'encoding';
  return mask === 'causal' ? 'mask' : window > 0 ? 'window' : undefined;
}

/** The common shape of the arrays. Throws a SpecError that names the array. */
function sizesOf(spec: CustomSpec): { readonly heads: number; readonly length: number } {
  const { q, k, weights } = spec;
  if (weights) {
    const idle = withoutEffect(spec);
    if (idle !== undefined) throw new SpecError(idle, strings.noEffect(idle));
    if (q || k) throw new SpecError('weights', strings.both);
    const { heads, tokens, headDim } = sides(weights);
    if (tokens !== headDim) throw new SpecError('weights', strings.notSquare(weights.shape));
    return { heads, length: tokens };
  }
  if (!q || !k) throw new SpecError(q ? 'k' : 'q', q ? strings.alone('q', 'k') : k ? strings.alone('k', 'q') : strings.missing);
  const [query, key] = [sides(q), sides(k)];
  if (query.tokens !== key.tokens || query.headDim !== key.headDim) throw new SpecError('k', strings.unlike(q.shape, k.shape));
  return { heads: query.heads, length: query.tokens };
}

/** Provided weights: those of the region, and the difference of each row sum from 1. */
async function givenPart(
  weights: Tensor,
  length: number,
  { head, size }: CustomSpec,
  { rows, columns, cell, cells }: Region,
  engine: Engine,
): Promise<Part> {
  if (cell > 1) throw new SpecError('weights', strings.tooMany(length, size));
  const data = new Float32Array(cells * cells);
  const row = (query: number): number => (head * length + query) * length;
  for (let position = 0; position < cells; position += 1) {
    const from = row(rows[0] + position);
    data.set(weights.data.subarray(from + columns[0], from + columns[1]), position * cells);
  }
  // A row sum, computed by the core: the dot product of the row with ones.
  const ones = new Float32Array(length).fill(1);
  const table = new Float32Array((cells + 1) * length);
  for (let location = 0; location < cells; location += 1)
    table.set(weights.data.subarray(row(rows[0] + location), row(rows[0] + location) + length), location * length);
  table.set(ones, cells * length);
  const products = await similarity(engine, { table: { shape: [cells + 1, length], data: table }, metric: 'dot' });
  const sums = Float32Array.from({ length: cells }, (_, place) => entryAt(products.data, place * (cells + 1) + cells));
  const { maxAbsDiff } = await permutationError(engine, {
    before: { shape: [cells, 1], data: ones.slice(0, cells) },
    after: { shape: [cells, 1], data: sums },
    order: Array.from({ length: cells }, (_, place) => place),
  });
  return { map: { shape: [cells, cells], data }, residual: maxAbsDiff };
}

/** Weights of queries and keys, computed by the core; one row of them is compared with the same in float64. */
async function computedPart(q: Tensor, k: Tensor, spec: CustomSpec, { rows, columns, cell, cells }: Region, engine: Engine): Promise<Part> {
  const { head, mask, window } = spec;
  const shared = { q, k, encoding: usedEncoding(spec.encoding, engine.encodings), mask, ...(window > 0 ? { window } : {}) };
  const v = {
    shape: [entryAt(k.shape, 0), entryAt(k.shape, 1), 1],
    data: new Float32Array(entryAt(k.shape, 0) * entryAt(k.shape, 1)),
  };
  const { pooledWeights } = await engine.attention({
    ...shared,
    v,
    outputs: ['pooledWeights'],
    pooling: { rows, columns, cellSize: [cell, cell] },
  });
  const { maxAbsDiff } = await explainSoftmax(engine, { ...shared, head, query: rows[1] - 1 });
  const first = head * cells * cells;
  return { map: { shape: [cells, cells], data: pooledWeights.mean.data.slice(first, first + cells * cells) }, residual: maxAbsDiff };
}

export async function computeCustom(spec: CustomSpec, { engine }: KindContext) {
  const { heads, length } = sizesOf(spec);
  if (spec.head >= heads) throw new SpecError('head', strings.outside('head', spec.head, heads - 1));
  for (const name of ['query', 'key'] as const)
    if (spec[name] >= length) throw new SpecError(name, strings.outside(name, spec[name], length - 1));
  if (spec.tokens.length > 0 && spec.tokens.length !== length) throw new SpecError('tokens', strings.tokens(spec.tokens.length, length));
  const region = regionOf(spec, length);
  const { q, k, weights } = spec;
  const part = weights ? givenPart(weights, length, spec, region, engine) : computedPart(q as Tensor, k as Tensor, spec, region, engine);
  return { ...(await part), length, words: spec.tokens.length > 0 ? spec.tokens : undefined, isGiven: weights !== undefined };
}
