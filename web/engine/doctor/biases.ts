// Computes the attention bias of a claimed encoding, lists its possible faults, and estimates slopes from scores.

import type { EncodingConfig, Phasor } from '../types/api.ts';
import type { ReportParams } from './report.ts';
import { withParameters } from './state.ts';

/**
 * Computes the attention bias [heads, queries, keys]; the last query is at the position of the last key. Returns undefined if there is no encoding,
 * or if it adds no bias.
 */
export function computeBias(
  phasor: Phasor,
  encoding: EncodingConfig | undefined,
  heads: number,
  queries: number,
  keys: number,
  isMirrored = false,
) {
  if (!encoding) return undefined;
  const positionSign = isMirrored ? -1 : 1;
  const [queryPositions, keyPositions] = [
    Float64Array.from({ length: queries }, (_, query) => positionSign * (query + keys - queries)),
    Float64Array.from({ length: keys }, (_, key) => positionSign * key),
  ];
  try {
    return phasor.attentionBias({ encoding, heads, queryPositions, keyPositions }).data;
  } catch {
    return undefined;
  }
}

/**
 * Lists variants of the claimed encoding, each with one fault: the fault's id, its parameters, and the faulty encoding, which is undefined if the
 * fault is a missing bias.
 */
export function listBiasFaults(encoding: EncodingConfig | undefined, heads: number): [string, ReportParams, EncodingConfig | undefined][] {
  if (!encoding) return [];
  const faults: [string, ReportParams, EncodingConfig | undefined][] = [['bias_missing', { bias: encoding.id }, undefined]];
  if (encoding.id === 't5') {
    const isBidirectional = encoding.bidirectional !== false;
    faults.push([
      't5_bidirectional',
      { found: !isBidirectional, claimed: isBidirectional },
      withParameters(encoding, { bidirectional: !isBidirectional }),
    ]);
    const claimed = typeof encoding.max_distance === 'number' ? encoding.max_distance : 128;
    for (const found of [16, 32, 64, 128, 256, 512, 1024].filter((distance) => distance !== claimed))
      faults.push(['t5_max_distance', { found, claimed }, withParameters(encoding, { max_distance: found })]);
  }
  if (encoding.id === 'alibi') {
    const defaultAlibi = { id: 'alibi' } as unknown as EncodingConfig;
    const geometricSlopes = { shape: [heads], data: Float32Array.from({ length: heads }, (_, head) => 2 ** ((-8 * (head + 1)) / heads)) };
    faults.push(['alibi_slopes', { found: 'geometric' }, withParameters(defaultAlibi, { slopes: geometricSlopes })]);
    faults.push(['alibi_slopes', { found: 'paper' }, defaultAlibi]);
  }
  return faults;
}

export const distanceOf = (index: number, queries: number, keys: number) =>
  (Math.floor(index / keys) % queries) + keys - queries - (index % keys);

/** Returns the slope of one head: the difference between the biases of the last two keys, for the last query. */
export function slopeOf(bias: ArrayLike<number>, head: number, queries: number, keys: number): number {
  const row = (head * queries + queries - 1) * keys;
  return keys < 2 ? 0 : (bias[row + keys - 1] as number) - (bias[row + keys - 2] as number);
}

/** Fits, for each head, the slope of the added bias over the query-key distance (least squares). */
export function fitSlopes(
  indices: readonly number[],
  headOf: (index: number) => number,
  heads: number,
  queries: number,
  keys: number,
  addedTerm: (index: number) => number,
): number[] {
  const [products, squares] = [new Float64Array(heads), new Float64Array(heads)];
  for (const index of indices) {
    const [head, distance] = [headOf(index), distanceOf(index, queries, keys)];
    products[head] = (products[head] as number) + addedTerm(index) * distance;
    squares[head] = (squares[head] as number) + distance * distance;
  }
  return Array.from(products, (sum, head) => (squares[head] ? sum / (squares[head] as number) : 0));
}

/**
 * Returns 'geometric' if successive slopes have a constant ratio, or 'other'. ALiBi slopes have one only if the number of heads is a power of two.
 */
export function classifySlopes(slopes: readonly number[]): string {
  const slopeRatios = slopes.slice(1).map((slope, at) => slope / (slopes[at] as number));
  return slopeRatios.length > 1 && slopeRatios.every((ratio) => Math.abs(ratio / (slopeRatios[0] as number) - 1) < 0.01)
    ? 'geometric'
    : 'other';
}

export function fitFactor(indices: readonly number[], y: (index: number) => number, x: (index: number) => number): number {
  let [products, squares] = [0, 0];
  for (const index of indices) {
    products += x(index) * y(index);
    squares += x(index) ** 2;
  }
  return squares > 0 ? products / squares : 0;
}
