// Splits the output of a projection into attention heads. The heads are strided views of the caller's array; nothing is copied.

import { argumentError, PhasorError } from '../errors.ts';
import type { QkvOptions, QkvViews, TensorData, TensorView } from '../types/api.ts';
import { invalidValueError, notOneOfError, outOfRangeError } from './invalid-value.ts';
import { clonePlain, inspect, isNumberArray } from './plain.ts';
import { readLayout, readShape } from './strided.ts';

const MAX_HEADS = 2 ** 20;
const LAYOUTS = ['qkv_heads_dim', 'heads_qkv_dim'] as const;

function rejectUnknown(value: object, path: string, method: string, knownNames: readonly string[]): void {
  const unknownField = Object.keys(value).find((name) => !knownNames.includes(name));
  if (unknownField !== undefined)
    throw new PhasorError('unknown_name', `${path}${unknownField} is not a field of ${method}`, { argument: `${path}${unknownField}` });
}

/** Parses x [.., tokens, channels] as a strided view. Each property is read only once. */
function parseView(method: string, name: string, x: unknown): TensorView {
  const tensor = clonePlain(x, `${method}: argument 1`, name) as Partial<TensorData> | null | undefined;
  if (typeof tensor !== 'object' || tensor === null || !('shape' in tensor && 'data' in tensor)) {
    throw invalidValueError(name, tensor, 'is not a tensor {shape, data}');
  }
  rejectUnknown(tensor, `${name}.`, method, ['shape', 'data', 'strides', 'offset']);
  const { data } = tensor;
  const shape = readShape(tensor.shape);
  if (!shape) throw invalidValueError(`${name}.shape`, tensor.shape, 'is not an array of whole numbers from 0 to 2147483647');
  if (!data || !(isNumberArray(data) || Array.isArray(data))) throw invalidValueError(`${name}.data`, data, 'is not an array of numbers');
  if (shape.length < 2) throw argumentError(name, `has shape ${shape.join(' x ')}; expected tokens x channels`);
  const { strides, offset } = readLayout(name, shape, tensor.strides, tensor.offset, data.length);
  return { shape, strides, offset, data };
}

function readCount(name: string, value: unknown, max: number): number {
  if (typeof value !== 'number') throw invalidValueError(name, value, 'is not a number');
  if (!Number.isInteger(value)) throw invalidValueError(name, value, 'is not a whole number');
  if (value < 1 || value > max) throw outOfRangeError(name, value, 1, max);
  return value;
}

function computeHeadDim(name: string, { shape }: TensorView, heads: number): number {
  const channels = shape.at(-1) as number;
  if (channels > 0 && channels % heads === 0) return channels / heads;
  throw argumentError(name, `has ${channels} channels, which cannot be split into ${heads} heads`);
}

/** Splits x into heads. Head h starts at channel firstChannel + h * headStride. */
function viewHeads(x: TensorView, heads: number, headDim: number, headStride: number, firstChannel: number): TensorView {
  const [tokenAxis, channelStride] = [x.shape.length - 2, x.strides.at(-1) as number];
  return {
    shape: [...x.shape.slice(0, tokenAxis), heads, x.shape[tokenAxis] as number, headDim],
    strides: [...x.strides.slice(0, tokenAxis), headStride * channelStride, x.strides[tokenAxis] as number, channelStride],
    offset: x.offset + firstChannel * channelStride,
    data: x.data,
  };
}

/**
 * Returns x [tokens, heads * headDim] as a view [heads, tokens, headDim], without copying, like x.view(T, H, D).transpose(0, 1) in PyTorch.
 * Leading axes, such as a batch axis, are kept.
 * @throws {PhasorError} `invalid_argument` if x is not a tensor [tokens, channels], or heads does not divide channels
 * @example
 * ```js
 * const { splitHeads } = await import('phasor');
 * const { shape, strides } = splitHeads({ shape: [3, 8], data: new Float32Array(24) }, 2);
 * shape; // [2, 3, 4]
 * strides; // [4, 8, 1]
 * ```
 */
export function splitHeads(x: TensorData, heads: number): TensorView {
  const view = parseView('splitHeads', 'x', x);
  const headDim = computeHeadDim('x', view, readCount('heads', heads, MAX_HEADS));
  return viewHeads(view, heads, headDim, headDim, 0);
}

/**
 * Splits a fused projection qkv [tokens, (heads + 2 * kvHeads) * headDim] into views of the queries [heads, tokens, headDim], and of the
 * keys and values [kvHeads, tokens, headDim], without copying. Leading axes are kept.
 * @throws {PhasorError} `invalid_argument` if qkv is not a tensor [tokens, channels] with channels for these heads; `unknown_name` for an
 * option that does not exist
 * @example
 * ```js
 * const { splitQkv } = await import('phasor');
 * const qkv = { shape: [3, 24], data: new Float32Array(72) };
 * const { k } = splitQkv(qkv, { heads: 2, layout: 'heads_qkv_dim' });
 * k.shape; // [2, 3, 4]
 * k.offset; // 4
 * ```
 */
export function splitQkv(qkv: TensorData, options: QkvOptions): QkvViews {
  const view = parseView('splitQkv', 'qkv', qkv);
  const providedOptions = clonePlain(options, 'splitQkv: argument 2') as Partial<QkvOptions> | null | undefined;
  if (typeof providedOptions !== 'object' || providedOptions === null)
    throw new PhasorError('invalid_argument', `splitQkv: argument 2 is ${inspect(providedOptions)}; expected an object`);
  rejectUnknown(providedOptions, '', 'splitQkv', ['heads', 'kvHeads', 'layout']);
  const heads = readCount('heads', providedOptions.heads, MAX_HEADS);
  const kvHeads = providedOptions.kvHeads === undefined ? heads : readCount('kvHeads', providedOptions.kvHeads, heads);
  const { layout } = providedOptions;
  if (!LAYOUTS.includes(layout as never)) throw notOneOfError('layout', layout, LAYOUTS);
  if (heads % kvHeads !== 0) throw invalidValueError('kvHeads', kvHeads, `does not divide heads; expected a divisor of ${heads}`);
  const isGroupedByHead = layout === 'heads_qkv_dim';
  if (isGroupedByHead && kvHeads !== heads)
    throw invalidValueError('kvHeads', kvHeads, `differs from heads; expected ${heads} for the layout heads_qkv_dim`);
  const headDim = computeHeadDim('qkv', view, heads + 2 * kvHeads);
  const headStride = isGroupedByHead ? 3 * headDim : headDim;
  const firstKeyChannel = isGroupedByHead ? headDim : heads * headDim;
  const firstValueChannel = firstKeyChannel + (isGroupedByHead ? headDim : kvHeads * headDim);
  return {
    q: viewHeads(view, heads, headDim, headStride, 0),
    k: viewHeads(view, kvHeads, headDim, headStride, firstKeyChannel),
    v: viewHeads(view, kvHeads, headDim, headStride, firstValueChannel),
  };
}
