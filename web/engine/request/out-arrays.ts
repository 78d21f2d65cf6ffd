// Compares results with the caller's arrays before any of them is written. Separate from the reader of requests, because workers need only this part.

import { argumentError, type PhasorError } from '../errors.ts';

/** An array of the caller for a result. Messages to a worker omit `array`. */
export interface OutSlot {
  /** "out", or "out.output" if results have names. */
  readonly path: string;
  readonly length: number;
  /** The shape if the result is a tensor. */
  readonly shape: readonly number[] | undefined;
  readonly array?: Float32Array;
}

/** The arrays that the caller provided for results. Results are first compared with all arrays, then written. */
export class OutArrays {
  /** The error that prevents all results from being written. Read by cpp/wasm/boundary.js. */
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

  /** Ends the comparison. Returns whether the results must be passed again in order to be written. */
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
      ? argumentError(path, 'the result is one tensor; expected the array itself as out')
      : argumentError(path, `the result has ${all.join(', ') || 'no arrays'}`);
  }
}

function outMismatch({ path, length, shape, array }: OutSlot, requested: readonly number[]): PhasorError | undefined {
  const count = requested.reduce((product, extent) => product * extent, 1);
  if (array && array.length !== length) return argumentError(path, 'has a detached or resized buffer');
  if (shape && shape.join() !== requested.join())
    return argumentError(path, `has shape ${shape.join(' x ')}, but the result has ${requested.join(' x ')}`);
  return length === count
    ? undefined
    : argumentError(path, `has ${length} numbers, but the result has ${count} (${requested.join(' x ')})`);
}

interface ResultTensor {
  shape: readonly number[];
  data: Float32Array;
}

/** The tensors of a result, with the path of names to each. */
function* tensorsOf(result: object, names: readonly string[] = []): Generator<[names: readonly string[], tensor: ResultTensor]> {
  if ('shape' in result && 'data' in result) return yield [names, result as ResultTensor];
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
