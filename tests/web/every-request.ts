// A request of every method, and copies with one changed field.

import * as analysis from '../../web/engine/analysis.ts';
import { CACHE_METHODS } from '../../web/engine/call/methods.ts';
import type { Tensor } from '../../web/engine/types/api.ts';
import type { AnyCache, AnyPhasor } from './contract-checks.ts';

type Call = readonly [method: string, ...args: Record<string, unknown>[]];

export const tensor = (...shape: number[]): Tensor => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)).fill(0.5) });

/** A request of every method that accepts arrays, with every field; methods of a cache need a cache with at least one token. */
export const CALLS: readonly Call[] = [
  ['positionTable', { encoding: { id: 'learned', table: tensor(2, 4) }, positions: new Float64Array([0, 1]), dim: 4 }],
  ['rotaryAngles', { encoding: { id: 'rope', base: 100 }, positions: { shape: [2, 1], data: new Float64Array([0, 1]) }, dim: 4 }],
  [
    'attentionBias',
    { encoding: { id: 'alibi', slopes: [0.5] }, heads: 1, queryPositions: new Int32Array([1]), keyPositions: new Float32Array([2]) },
  ],
  ['applyRotary', tensor(1, 2, 4) as never, { encoding: 'rope', positions: new Uint8Array([0, 1]) }],
  [
    'ropeDistances',
    { encoding: { id: 'rope', remap: 'rerope' }, dim: 4, queryPositions: new Float64Array([1]), keyPositions: new Int32Array([0]) },
  ],
  ['rotationMatrix', { encoding: 'rope', position: new Float64Array([1]), dim: 4 }],
  [
    'ropeFromConfig',
    {
      rope_scaling: {
        type: 'longrope',
        factor: 2,
        original_max_position_embeddings: 8,
        short_factor: new Float32Array(2).fill(1),
        long_factor: [1, 1],
      },
    },
  ],
  ['encodingFromConfig', { model_type: 'smollm3', no_rope_layers: [1, 0], rope_scaling: { type: 'linear', factor: 2 } }, { layerIdx: 0 }],
  ['layersFromConfig', { model_type: 'gpt_oss', num_hidden_layers: 2, layer_types: ['sliding_attention', 'full_attention'] }],
  ['combine', { x: tensor(2, 2), table: tensor(2, 2), mode: 'add' }],
  ['videoPositions', { before: 1, grid: [2, 1, 3], after: 1, frameStep: 1.5 }],
  ['positionIds', { attentionMask: new Uint8Array([1, 0]), mode: 'opt' }],
  ['segmentIds', { cuSeqlens: new Int32Array([0, 1, 3]) }],
  [
    'attention',
    { q: tensor(1, 2, 2), k: tensor(1, 2, 2), v: tensor(1, 2, 2), keyMask: new Uint8Array([1, 0]), pooling: { size: 2 }, sinks: [0] },
  ],
  [
    'attention',
    {
      q: tensor(1, 2, 2),
      k: tensor(1, 2, 2),
      v: tensor(1, 2, 2),
      querySegmentIds: new Int32Array([0, 1]),
      keySegmentIds: new Uint8Array([0, 1]),
    },
  ],
  [
    'attention',
    {
      q: tensor(1, 2, 2),
      k: tensor(1, 2, 2),
      v: tensor(1, 2, 2),
      attnMask: { shape: [2, 2], data: new Uint8Array([1, 0, 1, 1]) },
      attnBias: tensor(1, 2),
    },
  ],
  ['attentionBackward', { q: tensor(1, 2, 2), k: tensor(1, 2, 2), v: tensor(1, 2, 2), dOutput: tensor(1, 2, 2) }],
  ['explainBias', { q: tensor(1, 2, 2), k: tensor(1, 2, 2), encoding: { id: 'alibi', slopes: [0.5] }, query: 1, key: 0 }],
  ['explainSoftmax', { q: tensor(1, 2, 2), k: tensor(1, 2, 2), keyMask: new Uint8Array([1, 1]), query: 1 }],
  ['selfAttention', { x: tensor(2, 2), heads: 1, encoding: { id: 't5', table: tensor(32, 1) } }],
  ['selfAttentionBackward', { x: tensor(2, 2), heads: 1, dOutput: tensor(2, 2) }],
  ['decode', { q: tensor(1, 1, 2), k: tensor(1, 1, 2), v: tensor(1, 1, 2), keyMask: new Uint8Array([1]) }],
  ['createTensor', tensor(2, 2) as never],
  ['createEncoding', { encoding: { id: 'learned', table: tensor(2, 4) }, length: 2, dim: 4, heads: 1 }],
  ['similarity', { table: { ...tensor(2, 3), shape: [2, 2], strides: [1, 2], offset: 1 } }],
  ['distanceProfile', { matrix: tensor(2, 2) }],
  ['tableStatistics', { table: tensor(2, 2) }],
  ['spectrum', { table: tensor(4, 2) }],
  ['principalComponents', { table: tensor(4, 2), components: 1 }],
  ['linearProbe', { table: tensor(8, 2) }],
  ['shiftMatrix', { frequencies: new Float64Array([1]), k: 1 }],
  ['shiftError', { table: tensor(2, 2), shift: tensor(2, 2), k: 1 }],
  ['relativePositionError', { encoding: 'rope', q: tensor(1, 2), k: tensor(1, 2), positions: new Float64Array([0, 1]) }],
  ['permutationError', { before: tensor(2, 2), after: tensor(2, 2), order: new Int32Array([1, 0]) }],
  ['permutationTest', { x: tensor(2, 2), heads: 1, order: new Int32Array([1, 0]) }],
];

const ANALYSIS: ReadonlyMap<string, unknown> = new Map(Object.entries(analysis));

/** Calls the function of `phasor/analysis`, the method of the engine, or else that of the cache. */
export const invoke = (phasor: AnyPhasor, [method, ...args]: Call, cache?: AnyCache) => {
  const call = ANALYSIS.get(method) as ((...args: unknown[]) => unknown) | undefined;
  if (call) return call(phasor, ...args);
  const receiver = (Object.hasOwn(CACHE_METHODS, method) ? cache : phasor) as unknown as {
    readonly [name: string]: (...args: unknown[]) => unknown;
  };
  return receiver[method]?.(...args);
};

/** Returns the paths of the requested fields of a call. */
export function paths(value: unknown, isRequested: (field: unknown) => boolean, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const fieldPath = [...path, name];
    return [...(isRequested(field) ? [fieldPath] : []), ...paths(field, isRequested, fieldPath)];
  });
}

/** Returns a copy with another field at a path. */
function setField(value: object, [name = '', ...rest]: readonly string[], field: PropertyDescriptor): object {
  const inner = rest.length > 0 ? { value: setField(value[name as never] as object, rest, field), enumerable: true } : field;
  return Object.defineProperty(Array.isArray(value) ? [...value] : { ...value }, name, inner);
}

/** Returns a call with another field at a path, which starts with the index of the argument. */
export const changeField = ([method, ...args]: Call, path: readonly string[], field: PropertyDescriptor): Call => [
  method,
  ...(setField(args, path, field) as Record<string, unknown>[]),
];

/** The name of the first argument in errors, for methods such as `applyRotary(x, request)`. */
const FIRST = new Map([
  ['applyRotary', 'x'],
  ['ropeFromConfig', 'config'],
  ['encodingFromConfig', 'config'],
  ['layersFromConfig', 'config'],
  ['createTensor', 'tensor'],
]);

export function argumentPath([method]: Call, [argument, ...rest]: readonly string[]): string {
  const first = FIRST.get(method);
  return [...(argument === '0' && first !== undefined ? [first] : []), ...rest].join('.');
}

export function detach<T extends ArrayBufferView>(array: T): T {
  structuredClone(array, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

/** Returns a view of the second half of a buffer that was then resized to its first half. */
export function outOfBounds(): Float32Array {
  const buffer = new (ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer)(16, { maxByteLength: 16 });
  const view = new Float32Array(buffer, 8, 2);
  (buffer as unknown as { resize(bytes: number): void }).resize(8);
  return view;
}
