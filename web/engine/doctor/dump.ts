// Dumped tensors: their axes, the format that their numbers were rounded to, and the tokens that are examined.

import { PhasorError } from '../errors.ts';
import type { NoiseFormat } from './report.ts';

/** Numbers with a shape, the last axis fastest. Half precision is widened to float32, which is exact. */
export interface DumpTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array;
}

/** The order of the axes of a tensor with three of them. */
export type Axes = 'tokens,heads,width' | 'heads,tokens,width';

/** Queries or keys of one layer, by token, head and channel. */
export interface Vectors {
  readonly tokens: number;
  readonly heads: number;
  readonly dim: number;
  readonly data: Float32Array | Float64Array;
  /** Number of elements from a token to the next, and from a head to the next. */
  readonly tokenStride: number;
  readonly headStride: number;
}

/** The relative rounding of each format, as a root mean square over the rounded steps of a rotation. */
export const NOISE: Readonly<Record<NoiseFormat, number>> = { f32: 3e-7, f16: 4.2e-4, bf16: 3.4e-3 };
/** Formats from fine to coarse. */
export const FORMATS: readonly NoiseFormat[] = ['f32', 'f16', 'bf16'];

const invalid = (argument: string, message: string) => new PhasorError('invalid_argument', `${argument}: ${message}`, { argument });

/** Throws a PhasorError for a tensor whose data do not fill its shape. */
export function checkTensor(name: string, tensor: DumpTensor): void {
  const size = tensor.shape.reduce((product, side) => product * side, 1);
  if (size !== tensor.data.length)
    throw invalid(name, `the shape ${tensor.shape.join(' x ')} has ${size} numbers, but ${tensor.data.length} are provided`);
  if (size === 0) throw invalid(name, `the shape ${tensor.shape.join(' x ')} has no numbers`);
}

/**
 * Reads [tokens, heads, dim], [heads, tokens, dim], or [tokens, heads x dim] with `heads`; leading axes of 1 are dropped.
 * @throws {PhasorError} where the axes are not determined
 */
export function vectorsOf(name: string, tensor: DumpTensor, axes: Axes | undefined, heads: number | undefined): Vectors {
  checkTensor(name, tensor);
  let shape = [...tensor.shape];
  while (shape.length > 3 && shape[0] === 1) shape = shape.slice(1);
  if (shape.length === 2) {
    const [tokens = 1, width = 1] = shape;
    if (!heads || width % heads !== 0) throw invalid(name, `the shape is ${shape.join(' x ')}; heads must be given and divide ${width}`);
    const dim = width / heads;
    return { tokens, heads, dim, data: tensor.data, tokenStride: width, headStride: dim };
  }
  if (shape.length !== 3) throw invalid(name, `the shape is ${tensor.shape.join(' x ')}; tokens, heads and width are needed`);
  const [first = 1, second = 1, dim = 1] = shape;
  if (axes === undefined)
    throw invalid('axes', `are not given; "tokens,heads,width" and "heads,tokens,width" both fit ${shape.join(' x ')}`);
  if (axes !== 'tokens,heads,width' && axes !== 'heads,tokens,width')
    throw invalid('axes', `${JSON.stringify(axes)} is neither "tokens,heads,width" nor "heads,tokens,width"`);
  const [outer, inner] = [second * dim, dim];
  return axes === 'tokens,heads,width'
    ? { tokens: first, heads: second, dim, data: tensor.data, tokenStride: outer, headStride: inner }
    : { tokens: second, heads: first, dim, data: tensor.data, tokenStride: inner, headStride: outer };
}

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** The nearest bfloat16, ties to even. */
export function toBf16(value: number): number {
  single[0] = value;
  const raw = bits[0] as number;
  bits[0] = ((raw + 0x7fff + ((raw >>> 16) & 1)) & 0xffff0000) >>> 0;
  return single[0] as number;
}

/** The nearest float16, ties to even; above 65504 the largest. */
export function toF16(value: number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  const step = 2 ** (exponent - 10);
  const whole = Math.abs(value) / step;
  const low = Math.floor(whole);
  const rest = whole - low;
  const rounded = rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
  return Math.sign(value) * Math.min(rounded * step, 65504);
}

/** The coarsest format in which every one of (up to 4,096 spread) numbers of each array is exact. */
export function formatOf(...arrays: readonly (Float32Array | Float64Array)[]): NoiseFormat {
  const isExact = (round: (value: number) => number) =>
    arrays.every((data) => {
      const step = Math.max(1, Math.floor(data.length / 4096));
      for (let at = 0; at < data.length; at += step) if (round(data[at] as number) !== data[at]) return false;
      return true;
    });
  if (isExact(toBf16)) return 'bf16';
  return isExact(toF16) ? 'f16' : 'f32';
}

export const areFinite = (data: Float32Array | Float64Array): boolean => data.every(Number.isFinite);
export const isZero = (data: Float32Array | Float64Array): boolean => data.every((value) => value === 0);

/** All of up to 96 tokens; of more the first 24 and 48 at geometric distances, the last among them. */
export function sampledTokens(tokens: number): number[] {
  if (tokens <= 96) return Array.from({ length: tokens }, (_, token) => token);
  const chosen = new Set<number>(Array.from({ length: 24 }, (_, token) => token));
  for (let step = 1; step <= 48; step++) chosen.add(Math.round(24 * ((tokens - 1) / 24) ** (step / 48)));
  return [...chosen].sort((a, b) => a - b);
}

/** Up to four heads, spread over all. */
export function sampledHeads(heads: number): number[] {
  if (heads <= 4) return Array.from({ length: heads }, (_, head) => head);
  return [0, 1, Math.floor(heads / 2), heads - 1];
}
