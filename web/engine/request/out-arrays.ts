// Compares results with the caller's arrays before any is written. Separate from the reader of requests, which a worker does not need.

import { argumentError, type PhasorError } from '../errors.ts';

/** An array of the caller for a result. Messages to a worker omit the array. */
export interface OutSlot {
  /** "out", or "out.output" if results have names. */
  readonly path: string;
  readonly length: number;
  /** The shape, if it is a tensor. */
  readonly shape: readonly number[] | undefined;
  readonly array?: Float32Array;
}

/** The caller's arrays, with which the results of a call are compared, and which they are then written into. */
export class OutArrays {
  /** Why nothing is written. */
  refusal: PhasorError | undefined;
  readonly #slots: readonly OutSlot[];
  readonly #named = new Set<string>();
  #isComparing = true;

  constructor(slots: readonly OutSlot[]) {
    this.#slots = slots;
  }

  /** The array for a result; null during the comparison, undefined for a new array. */
  arrayFor(names: readonly string[], shape: readonly number[]): Float32Array | null | undefined {
    const path = ['out', ...names].join('.');
    const slot = this.#slots.find((one) => one.path === path);
    if (!this.#isComparing) return slot?.array;
    this.#named.add(path);
    if (slot) this.refusal ??= outMismatch(slot, shape);
    return null;
  }

  /** Whether the results must be passed again in order to be written. */
  again(): boolean {
    if (!this.#isComparing) return false;
    this.#isComparing = false;
    const unnamed = this.#slots.find(({ path }) => !this.#named.has(path));
    if (unnamed) this.refusal ??= this.#unnamed(unnamed.path);
    return this.refusal === undefined;
  }

  #unnamed(path: string): PhasorError {
    const all = [...this.#named].map((one) => one.slice('out.'.length));
    return all[0] === ''
      ? argumentError(path, 'the result is one tensor, for which out itself is the array')
      : argumentError(path, `the result has ${all.join(', ') || 'no arrays'}`);
  }
}

function outMismatch({ path, length, shape, array }: OutSlot, requested: readonly number[]): PhasorError | undefined {
  const count = requested.reduce((product, extent) => product * extent, 1);
  if (array && array.length !== length) return argumentError(path, 'its buffer is detached or has changed its size');
  if (shape && shape.join() !== requested.join())
    return argumentError(path, `its shape is ${shape.join(' x ')}, and that of the result ${requested.join(' x ')}`);
  return length === count ? undefined : argumentError(path, `it has ${length} numbers, and the result ${count} (${requested.join(' x ')})`);
}

interface Found {
  shape: readonly number[];
  data: Float32Array;
}

/** The tensors of a result, with the path of names to each. */
function* tensorsOf(result: object, names: readonly string[] = []): Generator<[names: readonly string[], tensor: Found]> {
  if ('shape' in result && 'data' in result) return yield [names, result as Found];
  for (const [name, value] of Object.entries(result)) if (typeof value === 'object' && value) yield* tensorsOf(value, [...names, name]);
}

/** Copies results from another thread into the caller's arrays, all or none. */
export function intoOut<T>(result: T, slots: readonly OutSlot[] | undefined): T {
  if (!slots) return result;
  const arrays = new OutArrays(slots);
  for (const [names, { shape }] of tensorsOf(result as object)) arrays.arrayFor(names, shape);
  if (!arrays.again()) throw arrays.refusal;
  for (const [names, tensor] of tensorsOf(result as object)) {
    const array = arrays.arrayFor(names, tensor.shape);
    array?.set(tensor.data);
    if (array) tensor.data = array;
  }
  return result;
}
