// Arrays of the caller's that results are written into: checked when a request is read, compared with the results before any is written.

import { PhasorError } from './errors.ts';
import {
  below,
  byteRange,
  elementCount,
  fieldNames,
  hasFields,
  isAlive,
  isNumberArray,
  isShared,
  type NumberArray,
  printed,
  readField,
  tagOf,
} from './plain.ts';
import { shapeOf } from './strided.ts';

/** One such array. What is sent to a worker is without the array. */
export interface OutSlot {
  /** "out", or "out.output" where results have names. */
  readonly path: string;
  readonly length: number;
  /** Of a tensor. */
  readonly shape: readonly number[] | undefined;
  readonly array?: Float32Array;
}

const DEEPEST = 3; // out.parameters.table
const refused = (sentence: string) => new PhasorError('invalid_argument', sentence);
const isTensor = (value: object) => 'shape' in value && 'data' in value;

function slotOf(path: string, data: unknown, shape?: readonly number[]): OutSlot {
  if (!(isNumberArray(data) && tagOf(data) === '[object Float32Array]')) throw refused(`${path}: ${printed(data)} is not a Float32Array`);
  if (isShared(data)) throw refused(`${path}: it is in shared memory, where others may write too`);
  return { path, length: elementCount(data), shape, array: data as unknown as Float32Array };
}

function tensorSlot(path: string, tensor: object): OutSlot {
  const field = (name: string) => readField(below(path, name), () => tensor[name as never] as unknown);
  const [shape, data] = [field('shape'), field('data')];
  const other = fieldNames(tensor).find((name) => name !== 'shape' && name !== 'data' && (field(name) ?? undefined) !== undefined);
  if (other !== undefined) throw refused(`${below(path, other)}: results are row-major, so an out has only shape and data`);
  const list = shapeOf(shape);
  if (!list) throw refused(`${path}.shape: ${printed(shape)} is not a list of whole numbers`);
  return slotOf(`${path}.data`, data, list);
}

/** All arrays of an `out`, each property read once. */
export function readOut(value: unknown, path = 'out', depth = 0): OutSlot[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || ArrayBuffer.isView(value)) return [slotOf(path, value)];
  if (isTensor(value)) return [{ ...tensorSlot(path, value), path }];
  if (depth >= DEEPEST || Array.isArray(value) || !hasFields(value)) throw refused(`${path}: ${printed(value)} is not a Float32Array`);
  return fieldNames(value).flatMap((name) => {
    const here = below(path, name);
    return readOut(
      readField(here, () => value[name as never] as unknown),
      here,
      depth + 1,
    );
  });
}

/** Refuses arrays that are gone, or in which writing a result would change an argument or another result. */
export function checkOut(slots: readonly OutSlot[], given: readonly (readonly [path: string, array: NumberArray])[]): void {
  const ranges = given.map(([path, array]) => [path, byteRange(array)] as const);
  for (const { path, length, array } of slots) {
    const own = array as unknown as NumberArray;
    if (elementCount(own) !== length || !isAlive(own)) throw refused(`${path}: its buffer is detached or has changed its size`);
    const range = byteRange(own);
    const met = ranges.find(([, other]) => other.buffer === range.buffer && other.start < range.end && range.start < other.end);
    if (met) throw refused(`${path}: it overlaps ${met[0]}`);
    ranges.push([path, range]);
  }
}

/** What the results of a call are compared with, and then written into. */
export class OutArrays {
  /** Why nothing is written. */
  refusal: string | undefined;
  readonly #slots: readonly OutSlot[];
  readonly #met = new Set<string>();
  #isComparing = true;

  constructor(slots: readonly OutSlot[]) {
    this.#slots = slots;
  }

  /** The array for a result, null while they are compared, or undefined where a new one is made. */
  arrayFor(names: readonly string[], shape: readonly number[]): Float32Array | null | undefined {
    const path = ['out', ...names].join('.');
    const slot = this.#slots.find((one) => one.path === path);
    if (!this.#isComparing) return slot?.array;
    this.#met.add(path);
    if (slot) this.refusal ??= misfit(slot, shape);
    return null;
  }

  /** Whether the results are to be given once more, to be written. */
  again(): boolean {
    if (!this.#isComparing) return false;
    this.#isComparing = false;
    const unmet = this.#slots.find(({ path }) => !this.#met.has(path));
    if (unmet) this.refusal ??= this.#unmet(unmet.path);
    return this.refusal === undefined;
  }

  #unmet(path: string): string {
    const all = [...this.#met].map((one) => one.slice('out.'.length));
    return `${path}: ${all[0] === '' ? 'the result is one tensor, for which out itself is the array' : `the result has ${all.join(', ') || 'no arrays'}`}`;
  }
}

function misfit({ path, length, shape, array }: OutSlot, wanted: readonly number[]): string | undefined {
  const count = wanted.reduce((product, extent) => product * extent, 1);
  if (array && elementCount(array as unknown as NumberArray) !== length) return `${path}: its buffer is detached or has changed its size`;
  if (shape && shape.join() !== wanted.join())
    return `${path}: its shape is ${shape.join(' x ')}, and that of the result ${wanted.join(' x ')}`;
  return length === count ? undefined : `${path}: it has ${length} numbers, and the result ${count} (${wanted.join(' x ')})`;
}

interface Found {
  shape: readonly number[];
  data: Float32Array;
}

/** The tensors of a result, with the names that lead to them. */
function* tensorsOf(result: object, names: readonly string[] = []): Generator<[names: readonly string[], tensor: Found]> {
  if (isTensor(result)) return yield [names, result as Found];
  for (const [name, value] of Object.entries(result)) if (typeof value === 'object' && value) yield* tensorsOf(value, [...names, name]);
}

/** Copies results that came from elsewhere into the caller's arrays, all or none. */
export function intoOut<T>(result: T, slots: readonly OutSlot[] | undefined): T {
  if (!slots) return result;
  const arrays = new OutArrays(slots);
  for (const [names, { shape }] of tensorsOf(result as object)) arrays.arrayFor(names, shape);
  if (!arrays.again()) throw refused(arrays.refusal as string);
  for (const [names, tensor] of tensorsOf(result as object)) {
    const array = arrays.arrayFor(names, tensor.shape);
    array?.set(tensor.data);
    if (array) tensor.data = array;
  }
  return result;
}
