// In some encodings, each bias is a constant times one element of a tensor, such as slopes or a table. This module finds the element and
// the constant (`gain`) by computing the biases twice: with all elements set to 1, and with each element set to its index plus 1.

import { entryAt } from '../../charts/entry-at.ts';
import type { Params, Tensor } from '../../engine/index.ts';
import { type EncodingSpec, MAX_PRINTED_ELEMENTS } from '../contract/fields.ts';
import type { Engine } from '../contract/kind.ts';
import { createParamReader } from '../contract/parameters.ts';

interface BiasSizes {
  readonly heads: number;
  /** Channels per head. */
  readonly dim: number;
}
type ParamReader = (name: string) => unknown;

interface EntryRules {
  readonly param: string;
  shape(readParam: ParamReader, sizes: BiasSizes): readonly number[];
  /** Distances up to this one use every element of the tensor. */
  reach(readParam: ParamReader): number;
  /** A parameter that cannot be set together with this tensor. */
  readonly replaces?: string;
  /** The encoding clamps smaller elements to this value. */
  readonly minimum?: number;
  isProportional?(readParam: ParamReader, sizes: BiasSizes): boolean;
}

const ENTRY_RULES: { readonly [id: string]: EntryRules } = {
  alibi: { param: 'slopes', shape: (_, { heads }) => [heads], reach: () => 1, replaces: 'bias_max' },
  kerple: {
    param: 'r1',
    shape: (_, { heads }) => [heads],
    reach: () => 1,
    minimum: 0.01,
    isProportional: (readParam) => readParam('form') !== 'weighted_power',
  },
  t5: {
    param: 'table',
    shape: (readParam, { heads }) => [Number(readParam('num_buckets')), heads],
    reach: (readParam) => Number(readParam('max_distance')),
  },
  relative_bias: {
    param: 'b',
    shape: (readParam, { heads }) => [...(readParam('per_head') === true ? [heads] : []), 2 * Number(readParam('max_length')) - 1],
    reach: (readParam) => Number(readParam('max_length')) - 1,
  },
  // Each entry of the table is a vector, so the bias is proportional to a single element only if a head has one channel.
  shaw: {
    param: 'table_k',
    shape: (readParam, { heads }) => [...(readParam('per_head') === true ? [heads] : []), 2 * Number(readParam('clip')) + 1, 1],
    reach: (readParam) => Number(readParam('clip')),
    isProportional: (_, { dim }) => dim === 1,
  },
};

/** Larger tensors do not fit into a link. */
export const MAX_ENTRIES = MAX_PRINTED_ELEMENTS;

/** The tensor that determines the biases, and the element used at each point of the bias curves. */
export interface BiasEntries {
  readonly param: string;
  readonly values: Tensor;
  /** False if the tensor has its default values. */
  readonly isSet: boolean;
  /** [heads, keys], the bias divided by the element at `entryIndex`; 0 if the bias does not depend on the tensor. */
  readonly gain: Float32Array;
  /** [heads, keys], the index of the element that determines the bias. */
  readonly entryIndex: Int32Array;
  readonly minimum: number | undefined;
}

/**
 * The reason why the elements cannot be set: 'none' if the biases are not proportional to a tensor's elements, 'many' if there are too many
 * elements.
 */
export type UnavailableEntries =
  | {
      readonly reason: 'none';
      /** Whether the bias depends on queries and keys. */
      readonly readsContent: boolean;
    }
  | { readonly reason: 'many'; readonly count: number };

const generateTensor = (shape: readonly number[], elementAt: (index: number) => number): Tensor => ({
  shape,
  data: Float32Array.from({ length: shape.reduce((size, extent) => size * extent, 1) }, (_, index) => elementAt(index)),
});

function readTensor(providedValue: unknown): Tensor | undefined {
  if (typeof providedValue !== 'object' || providedValue === null) return undefined;
  const { shape, data = providedValue } = providedValue as Partial<Tensor>;
  const numbers = Float32Array.from(data as ArrayLike<number>);
  return { shape: shape ?? [numbers.length], data: numbers };
}

/** Lists the distances from -reach to reach. Distances above 1024 are sampled, because large distances share elements. */
function sampleDistances(reach: number): number[] {
  const positiveDistances: number[] = [];
  for (let distance = 1; distance < reach; distance = distance < 1024 ? distance + 1 : Math.ceil(distance * 1.002))
    positiveDistances.push(distance);
  positiveDistances.push(reach);
  return [...positiveDistances.map((distance) => -distance).reverse(), 0, ...positiveDistances];
}

interface BiasRow {
  /** [heads, 1, headDim] */
  readonly q: Tensor;
  readonly queryPosition: number;
  readonly keyPositions: readonly number[];
}

/** [heads, keys] */
async function computeBiasRow({ q, queryPosition, keyPositions }: BiasRow, encoding: EncodingSpec, engine: Engine): Promise<Float32Array> {
  const [heads = 1, , width = 1] = q.shape;
  const k = generateTensor([heads, keyPositions.length, width], () => 1);
  const { bias } = await engine.attention({ q, k, v: k, encoding, queryPositions: [queryPosition], keyPositions, outputs: ['bias'] });
  return bias.data;
}

function withoutParam({ ...encoding }: EncodingSpec, param: string | undefined): EncodingSpec {
  if (param !== undefined) Reflect.deleteProperty(encoding, param);
  return encoding;
}

/** For each bias in a row, finds the tensor element that determines it (`entryIndex`) and their ratio (`gain`). */
async function findDependence(
  row: BiasRow,
  input: EncodingSpec,
  { param, replaces }: EntryRules,
  shape: readonly number[],
  engine: Engine,
) {
  const encoding = withoutParam(input, replaces);
  const gain = await computeBiasRow(row, { ...encoding, [param]: generateTensor(shape, () => 1) }, engine);
  // Starts at 1, because an encoding may reject or clamp values near 0.
  const indexBiases = await computeBiasRow(row, { ...encoding, [param]: generateTensor(shape, (index) => index + 1) }, engine);
  return {
    gain,
    entryIndex: Int32Array.from(gain, (gainAtPoint, point) =>
      gainAtPoint === 0 ? 0 : Math.round(entryAt(indexBiases, point) / gainAtPoint) - 1,
    ),
  };
}

/** Finds the tensor that determines the biases in a row. Returns a reason if its elements cannot be set. */
export async function findBiasEntries(encoding: EncodingSpec, row: BiasRow, engine: Engine): Promise<BiasEntries | UnavailableEntries> {
  const rules = ENTRY_RULES[encoding.id];
  const info = engine.encodings.find(({ id }) => id === encoding.id);
  const [heads = 1, , width = 1] = row.q.shape;
  const { id: _, ...params } = encoding;
  const readParam = info && createParamReader(params as Params, info);
  if (!rules || !readParam || rules.isProportional?.(readParam, { heads, dim: width }) === false)
    return { reason: 'none', readsContent: info?.injection === 'score_content' };
  const { param } = rules;
  const shape = rules.shape(readParam, { heads, dim: width });
  const elementCount = shape.reduce((size, extent) => size * extent, 1);
  if (elementCount > MAX_ENTRIES) return { reason: 'many', count: elementCount };
  const dependence = await findDependence(row, encoding, rules, shape, engine);
  const tensor = readTensor(encoding[param]);
  if (tensor) return { param, values: tensor, isSet: true, ...dependence, minimum: rules.minimum };

  // The default values are derived from a row of biases in which every element occurs.
  const completeRow: BiasRow = {
    q: generateTensor([heads, 1, 1], () => 1),
    queryPosition: 0,
    keyPositions: sampleDistances(rules.reach(readParam)),
  };
  const biases = await computeBiasRow(completeRow, encoding, engine);
  const { gain, entryIndex } = await findDependence(completeRow, encoding, rules, shape, engine);
  const values = generateTensor(shape, () => 0);
  for (const [point, gainAtPoint] of gain.entries())
    if (gainAtPoint !== 0) values.data[entryAt(entryIndex, point)] = entryAt(biases, point) / gainAtPoint;
  return { param, values, isSet: false, ...dependence, minimum: rules.minimum };
}

/** Removes the tensor from the encoding, which restores its default values. */
export const withDefaultTensor = (encoding: EncodingSpec, { param }: BiasEntries): EncodingSpec => withoutParam(encoding, param);

/** Returns an encoding whose bias at `point` is `bias`, or undefined if no element of the tensor affects that bias. */
export function withBias(encoding: EncodingSpec, entries: BiasEntries, point: number, bias: number): EncodingSpec | undefined {
  const { param, values, gain, entryIndex, minimum = Number.NEGATIVE_INFINITY } = entries;
  const pointGain = gain[point];
  if (!pointGain || !Number.isFinite(bias)) return undefined;
  const data = Float32Array.from(values.data);
  // Round to four significant digits, like slider values.
  data[entryAt(entryIndex, point)] = Math.max(minimum, Number((bias / pointGain).toPrecision(4)));
  return { ...withoutParam(encoding, ENTRY_RULES[encoding.id]?.replaces), [param]: { shape: values.shape, data } };
}
