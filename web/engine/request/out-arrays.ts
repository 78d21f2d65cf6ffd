// Checks that every result of a call fits into the array that the caller has provided for it, before any result is written. Separate from
// out.ts, because workers need only this part.

import { argumentError, type PhasorError } from '../errors.ts';

/** An array that the caller has provided for one result. In messages to a worker, `array` is omitted. */
export interface OutSlot {
  /** "out" for a single result, or a path such as "out.output" for one of several. */
  readonly path: string;
  readonly length: number;
  /** The expected shape, if the caller provided a tensor instead of an array. */
  readonly shape: readonly number[] | undefined;
  readonly array?: Float32Array;
}

/** The arrays that the caller has provided for the results of a call. All results are checked before any is written. */
export class OutArrays {
  /** The first error found. If it is set, no result is written. cpp/wasm/boundary.js reads this property. */
  refusal: PhasorError | undefined;
  readonly #slots: readonly OutSlot[];
  readonly #resultPaths = new Set<string>();
  #isChecking = true;

  constructor(slots: readonly OutSlot[]) {
    this.#slots = slots;
  }

  /** Returns the caller's array for a result, undefined if there is none, or null during the check. */
  arrayFor(names: readonly string[], shape: readonly number[]): Float32Array | null | undefined {
    const path = ['out', ...names].join('.');
    const slot = this.#slots.find((candidate) => candidate.path === path);
    if (!this.#isChecking) return slot?.array;
    this.#resultPaths.add(path);
    if (slot) this.refusal ??= findMismatch(slot, shape);
    return null;
  }

  /**
   * Ends the check.
   * @returns true if all arrays match; `arrayFor` is then called again for each result to write it
   */
  again(): boolean {
    if (!this.#isChecking) return false;
    this.#isChecking = false;
    const unusedSlot = this.#slots.find(({ path }) => !this.#resultPaths.has(path));
    if (unusedSlot) this.refusal ??= this.#noResultError(unusedSlot.path);
    return this.refusal === undefined;
  }

  #noResultError(path: string): PhasorError {
    const resultNames = [...this.#resultPaths].map((resultPath) => resultPath.slice('out.'.length));
    return resultNames[0] === ''
      ? argumentError(path, 'the result is a single tensor; expected a single array as out')
      : argumentError(path, `is not a result; expected ${resultNames.join(', ') || 'no arrays'}`);
  }
}

function findMismatch({ path, length, shape, array }: OutSlot, resultShape: readonly number[]): PhasorError | undefined {
  const count = resultShape.reduce((product, extent) => product * extent, 1);
  if (array && array.length !== length) return argumentError(path, 'has a detached or resized buffer');
  if (shape && shape.join() !== resultShape.join())
    return argumentError(path, `has shape ${shape.join(' x ')}; expected ${resultShape.join(' x ')}, the shape of the result`);
  return length === count ? undefined : argumentError(path, `has ${length} values; expected ${count} (${resultShape.join(' x ')})`);
}

interface ResultTensor {
  shape: readonly number[];
  data: Float32Array;
}

/** Yields each tensor in a result, with the property names that lead to it. */
function* listTensors(result: object, names: readonly string[] = []): Generator<[names: readonly string[], tensor: ResultTensor]> {
  if ('shape' in result && 'data' in result) return yield [names, result as ResultTensor];
  for (const [name, value] of Object.entries(result)) if (typeof value === 'object' && value) yield* listTensors(value, [...names, name]);
}

/** Copies results from another thread into the caller's arrays. If any array does not match, nothing is copied. */
export function copyIntoOut<T>(result: T, slots: readonly OutSlot[] | undefined): T {
  if (!slots) return result;
  const arrays = new OutArrays(slots);
  for (const [names, { shape }] of listTensors(result as object)) arrays.arrayFor(names, shape);
  if (!arrays.again()) throw arrays.refusal;
  for (const [names, tensor] of listTensors(result as object)) {
    const array = arrays.arrayFor(names, tensor.shape);
    array?.set(tensor.data);
    if (array) tensor.data = array;
  }
  return result;
}
