// Implements the option `out`: reads the arrays that the caller provides for results, checks them against the request, and fills them. Only
// the package's engines support it. The site's engines always return new arrays.

import { argumentError } from '../errors.ts';
import { invalidValueError } from './invalid-value.ts';
import { copyIntoOut, type OutSlot } from './out-arrays.ts';
import { getByteRange, isAttached, isFloat32Array, isPlain, isSharedArray, joinPath, type NumberArray, readField } from './plain.ts';
import { readShape } from './strided.ts';

const MAX_OUT_DEPTH = 3; // as in out.parameters.table
const isTensor = (value: object) => 'shape' in value && 'data' in value;

function createSlot(path: string, data: unknown, shape?: readonly number[]): OutSlot {
  if (!isFloat32Array(data)) throw invalidValueError(path, data, 'is not a Float32Array');
  if (isSharedArray(data)) throw argumentError(path, 'is in shared memory, which other threads may write to');
  return { path, length: data.length, shape, array: data };
}

function createTensorSlot(path: string, tensor: object): OutSlot {
  const readTensorField = (name: string) => readField(joinPath(path, name), () => tensor[name as never] as unknown);
  const [shape, data] = [readTensorField('shape'), readTensorField('data')];
  const unknownField = Object.keys(tensor).find(
    (name) => name !== 'shape' && name !== 'data' && (readTensorField(name) ?? undefined) !== undefined,
  );
  if (unknownField !== undefined)
    throw argumentError(joinPath(path, unknownField), 'is not allowed, because results are row-major; expected only shape and data');
  const shapeList = readShape(shape);
  if (!shapeList) throw invalidValueError(`${path}.shape`, shape, 'is not a list of whole numbers');
  return createSlot(`${path}.data`, data, shapeList);
}

/** Lists the arrays in the field `out`. Each property is read only once. */
function readSlots(value: unknown, path = 'out', depth = 0): OutSlot[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || ArrayBuffer.isView(value)) return [createSlot(path, value)];
  if (isTensor(value)) return [{ ...createTensorSlot(path, value), path }];
  if (depth >= MAX_OUT_DEPTH || Array.isArray(value) || !isPlain(value)) throw invalidValueError(path, value, 'is not a Float32Array');
  return Object.keys(value).flatMap((name) => {
    const fieldPath = joinPath(path, name);
    return readSlots(
      readField(fieldPath, () => value[name as never] as unknown),
      fieldPath,
      depth + 1,
    );
  });
}

/** Rejects detached arrays, and arrays that overlap with an argument or with another result. */
function checkSlots(slots: readonly OutSlot[], providedArrays: readonly (readonly [path: string, array: NumberArray])[]): void {
  const ranges = providedArrays.map(([path, array]) => [path, getByteRange(array)] as const);
  for (const { path, length, array } of slots) {
    const slotArray = array as Float32Array & NumberArray;
    if (slotArray.length !== length || !isAttached(slotArray)) throw argumentError(path, 'has a detached or resized buffer');
    const range = getByteRange(slotArray);
    const overlappingRange = ranges.find(
      ([, other]) => other.buffer === range.buffer && other.start < range.end && range.start < other.end,
    );
    if (overlappingRange) throw argumentError(path, `overlaps ${overlappingRange[0]}`);
    ranges.push([path, range]);
  }
}

export interface OutHandler {
  read(value: unknown): OutSlot[];
  /** Rejects arrays that cannot be written to, and arrays that overlap with an argument. */
  check(slots: readonly OutSlot[], input: readonly (readonly [path: string, array: NumberArray])[]): void;
  fill<T>(result: T, slots: readonly OutSlot[] | undefined): T;
}

export const OUT_HANDLER: OutHandler = { read: (value) => readSlots(value), check: checkSlots, fill: copyIntoOut };
