// Reads dumped tensors. Determines the order of their axes, the number format they were rounded to, and the tokens to examine.

import { argumentError } from '../errors.ts';
import { gather, isStrided, readLayout } from '../request/strided.ts';
import type { TensorData } from '../types/tensors.ts';
import type { NoiseFormat } from './report.ts';

/** A contiguous tensor in row-major order. */
export interface DumpTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array;
}

/** Axis order of a three-dimensional tensor. */
export type Axes = 'tokens,heads,dim' | 'heads,tokens,dim';

/** Queries or keys of one layer, by token, head and channel. */
export interface Vectors {
  readonly tokens: number;
  readonly heads: number;
  readonly dim: number;
  readonly data: Float32Array | Float64Array;
  /** Number of elements between successive tokens. */
  readonly tokenStride: number;
  readonly headStride: number;
}

/** The relative rounding error of a rotation (root mean square) in each format. */
export const NOISE: Readonly<Record<NoiseFormat, number>> = { f32: 3e-7, f16: 4.2e-4, bf16: 3.4e-3 };
/** From highest to lowest precision. */
export const FORMATS: readonly NoiseFormat[] = ['f32', 'f16', 'bf16'];

/**
 * Returns the tensor in row-major order. Data types other than float32 and float64 are converted to float64.
 * @throws {PhasorError} if the shape does not match the data, or the tensor is empty
 */
export function readTensor(name: string, tensor: TensorData): DumpTensor {
  const { shape, data, strides, offset } = (tensor ?? {}) as Partial<TensorData>;
  if (!Array.isArray(shape) || !shape.every((side) => Number.isInteger(side) && side >= 0) || typeof data?.length !== 'number')
    throw argumentError(name, 'is not a tensor; expected { shape, data }');
  const isFloat32 = data instanceof Float32Array;
  const count = shape.reduce((product, side) => product * side, 1);
  if (count === 0) throw argumentError(name, `the shape ${shape.join(' x ')} has no elements; expected at least one along each axis`);
  if (!isStrided({ shape, data, strides, offset })) {
    if (count !== data.length)
      throw argumentError(name, `the shape ${shape.join(' x ')} requires ${count} values, but ${data.length} are provided`);
    return { shape, data: isFloat32 || data instanceof Float64Array ? data : Float64Array.from(data) };
  }
  const numbers = isFloat32 ? new Float32Array(count) : new Float64Array(count);
  gather(readLayout(name, shape, strides, offset, data.length), data, numbers);
  return { shape, data: numbers };
}

export interface AxesOptions {
  readonly axes?: Axes | undefined;
  /** Number of heads, for a tensor of shape [tokens, heads x dim]. */
  readonly heads?: number | undefined;
  readonly item?: number | undefined;
  /** Possible numbers of heads: those of query heads and key heads in the config. */
  readonly knownHeadCounts?: readonly number[] | undefined;
}

/** Selects one item of a batch and removes the batch axis. */
function selectBatchItem(name: string, { shape, data }: DumpTensor, item: number | undefined): DumpTensor {
  if (shape.length !== 4) return { shape, data };
  const [batch = 1, ...rest] = shape;
  const itemIndex = item ?? (batch === 1 ? 0 : undefined);
  if (itemIndex === undefined)
    throw argumentError('item', `is missing for ${name} of shape ${shape.join(' x ')}; expected a number from 0 to ${batch - 1}`);
  if (!Number.isInteger(itemIndex) || itemIndex < 0 || itemIndex >= batch)
    throw argumentError('item', `${itemIndex} is outside 0 to ${batch - 1}`);
  const size = data.length / batch;
  return { shape: rest, data: data.subarray(itemIndex * size, (itemIndex + 1) * size) };
}

/**
 * Reads [tokens, heads, dim], [heads, tokens, dim], or [tokens, heads x dim] with `heads`, each with an optional batch axis. If the size of exactly
 * one axis is a possible number of heads, that axis is the head axis.
 * @throws {PhasorError} if the axis order is ambiguous
 */
export function readVectors(name: string, tensor: TensorData, { axes, heads, item, knownHeadCounts = [] }: AxesOptions): Vectors {
  const { shape, data } = selectBatchItem(name, readTensor(name, tensor), item);
  if (shape.length === 2) {
    const [tokens = 1, width = 1] = shape;
    if (!heads || !Number.isInteger(heads) || heads < 1 || width % heads !== 0)
      throw argumentError('heads', `is missing for ${name} of shape ${shape.join(' x ')}; expected a number that divides ${width}`);
    const dim = width / heads;
    return { tokens, heads, dim, data, tokenStride: width, headStride: dim };
  }
  if (shape.length !== 3)
    throw argumentError(
      name,
      `has shape ${tensor.shape.join(' x ')}; expected [tokens, heads, dim], [heads, tokens, dim] or [tokens, heads x dim]`,
    );
  const [first = 1, second = 1, dim = 1] = shape;
  const order = axes ?? inferAxes(first, second, heads === undefined ? knownHeadCounts : [heads]);
  if (order === undefined)
    throw argumentError('axes', `is missing; "tokens,heads,dim" and "heads,tokens,dim" both fit ${name} of shape ${shape.join(' x ')}`);
  if (order !== 'tokens,heads,dim' && order !== 'heads,tokens,dim')
    throw argumentError('axes', `${JSON.stringify(order)} is unknown; expected "tokens,heads,dim" or "heads,tokens,dim"`);
  const [outerStride, innerStride] = [second * dim, dim];
  return order === 'tokens,heads,dim'
    ? { tokens: first, heads: second, dim, data, tokenStride: outerStride, headStride: innerStride }
    : { tokens: second, heads: first, dim, data, tokenStride: innerStride, headStride: outerStride };
}

function inferAxes(firstSize: number, secondSize: number, heads: readonly number[]): Axes | undefined {
  const [isFirst, isSecond] = [heads.includes(firstSize), heads.includes(secondSize)];
  if (isFirst === isSecond) return undefined;
  return isFirst ? 'heads,tokens,dim' : 'tokens,heads,dim';
}

const floatBuffer = new Float32Array(1);
const bitBuffer = new Uint32Array(floatBuffer.buffer);

/** Rounds to bfloat16. Ties are rounded to even. */
export function toBf16(value: number): number {
  floatBuffer[0] = value;
  const rawBits = bitBuffer[0] as number;
  bitBuffer[0] = ((rawBits + 0x7fff + ((rawBits >>> 16) & 1)) & 0xffff0000) >>> 0;
  return floatBuffer[0] as number;
}

/** Rounds to float16. Ties are rounded to even; finite values are clamped to ±65504. */
export function toF16(value: number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  const stepSize = 2 ** (exponent - 10);
  const scaledValue = Math.abs(value) / stepSize;
  const lowerStep = Math.floor(scaledValue);
  const fraction = scaledValue - lowerStep;
  const roundedSteps = fraction > 0.5 || (fraction === 0.5 && lowerStep % 2 === 1) ? lowerStep + 1 : lowerStep;
  return Math.sign(value) * Math.min(roundedSteps * stepSize, 65504);
}

/** Returns the least precise format that represents all values exactly. Large arrays are sampled. */
export function detectFormat(...arrays: readonly (Float32Array | Float64Array)[]): NoiseFormat {
  const isExact = (round: (value: number) => number) =>
    arrays.every((data) => {
      const step = Math.max(1, Math.floor(data.length / 4096));
      for (let at = 0; at < data.length; at += step) if (round(data[at] as number) !== data[at]) return false;
      return true;
    });
  if (isExact(toBf16)) return 'bf16';
  return isExact(toF16) ? 'f16' : 'f32';
}

/** Whether all values are finite. A loop, because `every` is ten times slower and dumps have millions of values. */
export function areFinite(data: Float32Array | Float64Array): boolean {
  for (let at = 0; at < data.length; at++) if (!Number.isFinite(data[at])) return false;
  return true;
}
export const isZero = (data: Float32Array | Float64Array): boolean => data.every((value) => value === 0);

/**
 * Returns the tokens to examine: all if there are at most 96, otherwise the first 24 and up to 48 more at geometrically growing distances, including
 * the last.
 */
export function sampleTokens(tokens: number): number[] {
  if (tokens <= 96) return Array.from({ length: tokens }, (_, token) => token);
  const tokenSet = new Set<number>(Array.from({ length: 24 }, (_, token) => token));
  for (let step = 1; step <= 48; step++) tokenSet.add(Math.round(24 * ((tokens - 1) / 24) ** (step / 48)));
  return [...tokenSet].sort((a, b) => a - b);
}

export function sampleHeads(heads: number): number[] {
  if (heads <= 4) return Array.from({ length: heads }, (_, head) => head);
  return [0, 1, Math.floor(heads / 2), heads - 1];
}
