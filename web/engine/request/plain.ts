// Reads requests, which consist of plain objects, arrays and typed arrays. An instance of any other class is rejected with an error that
// names the class.

import { argumentError, PhasorError } from '../errors.ts';
import { describeHandle } from '../handles.ts';

export type NumberArray = ArrayLike<number> & ArrayBufferView;

export const MAX_DEPTH = 8;
export const MAX_FIELDS = 100_000;
export const TOO_MANY_FIELDS = `the request has more than ${MAX_FIELDS} fields`;
/** Longer values are truncated in error messages. */
export const MAX_VALUE_CHARACTERS = 200;
/** 1 GiB of float64. */
export const MAX_LIST_LENGTH = 2 ** 27;

/** The class name of a built-in array, such as "Float32Array". Also works for subclasses, and for arrays from another realm. */
const getTypeName = (value: unknown) => getTag(value).slice('[object '.length, -1);

export const isNumberArray = (value: unknown): value is NumberArray => {
  const type = ArrayBuffer.isView(value) ? getTypeName(value) : '';
  return type.endsWith('Array') && !type.startsWith('Big');
};

export const isFloat32Array = (value: unknown): value is Float32Array & NumberArray =>
  ArrayBuffer.isView(value) && getTypeName(value) === 'Float32Array';

/**
 * Returns false if the buffer of an array was transferred, or shrunk so that the array no longer fits. The length of such an array is 0.
 */
export function isAttached(array: NumberArray): boolean {
  try {
    (array as Float32Array & NumberArray).keys();
    return true;
  } catch {
    return false;
  }
}

type ArrayType = new (buffer: ArrayBufferLike | NumberArray, offset?: number, length?: number) => NumberArray;

/** Returns a view of the first `count` elements. The view has the built-in class even if `array` is an instance of a subclass. */
export function createArrayView(array: NumberArray, count = array.length): NumberArray {
  const type = globalThis[getTypeName(array) as 'Float32Array'] as unknown as ArrayType;
  return new type(array.buffer, array.byteOffset, count);
}

export function cloneArray(array: NumberArray, count = array.length): NumberArray {
  const view = createArrayView(array, count);
  return new (view.constructor as ArrayType)(view);
}

export const getByteRange = ({ buffer, byteOffset, byteLength }: NumberArray) => ({
  buffer,
  start: byteOffset,
  end: byteOffset + byteLength,
});

export const isSharedArray = ({ buffer }: NumberArray) => getTag(buffer) === '[object SharedArrayBuffer]';

export const getTag = (value: unknown) => Object.prototype.toString.call(value);

export function inspect(value: unknown): string {
  try {
    if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_VALUE_CHARACTERS));
    if (typeof value === 'bigint') return `${value}n`.slice(0, MAX_VALUE_CHARACTERS);
    if (Array.isArray(value)) return 'a list';
    if (typeof value !== 'object' || value === null) return String(value).slice(0, MAX_VALUE_CHARACTERS);
    const handle = describeHandle(value);
    if (handle) return handle;
    if (isPlain(value)) return 'an object';
    const tag = getTag(value);
    return tag === '[object Object]'
      ? `an instance of ${value.constructor.name || 'a class'}`.slice(0, MAX_VALUE_CHARACTERS)
      : tag.slice(0, MAX_VALUE_CHARACTERS);
  } catch {
    return 'an unreadable value';
  }
}

const isScalar = (value: unknown) => typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';

/**
 * Copies a list, reading each element only once. Beyond the MAX_VALUE_CHARACTERS elements that an error message may contain, copying stops
 * at the first element that is not a scalar.
 */
export function copyElements(list: readonly unknown[]): unknown[] {
  const { length } = list;
  if (length > MAX_LIST_LENGTH) throw new RangeError(`a list of ${length} elements is too long; expected a typed array`);
  const copy: unknown[] = [];
  for (let i = 0; i < length; i++) {
    copy.push(list[i]);
    if (i >= MAX_VALUE_CHARACTERS && !isScalar(copy[i])) break;
  }
  return copy;
}

/** Returns true for objects that are not instances of a class, including objects from another realm. */
export const isPlain = (object: object) => {
  const prototype = Object.getPrototypeOf(object) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

export const hasStrides = (object: object) => 'shape' in object && 'data' in object && ('strides' in object || 'offset' in object);

/** Joins the names of a path with dots. Dots inside a name are escaped. */
export const joinPath = (path: string, name: string) => {
  const escapedName = name.includes('.') ? name.replaceAll('.', '\\.') : name;
  return path === '' ? escapedName : `${path}.${escapedName}`;
};

/** Reads a field. An exception is converted to an error that names the field. */
export function readField<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof PhasorError) throw thrown;
    throw argumentError(path, `cannot be read (${PhasorError.from(thrown).message})`);
  }
}

/** Copies a value deeply. Typed arrays and handles are shared with the original. `location` names the value in error messages. */
export function clonePlain(value: unknown, location: string, path = '', depth = 0, remaining = { fields: MAX_FIELDS }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return readField(path || location, () => {
    if (isNumberArray(value)) return isAttached(value) ? createArrayView(value) : value;
    if (Array.isArray(value)) return copyElements(value);
    if (describeHandle(value) || !isPlain(value)) return value;
    const copy: Record<string, unknown> = {};
    const names = depth < MAX_DEPTH ? Object.keys(value) : [];
    for (const name of names) {
      remaining.fields -= 1;
      if (remaining.fields < 0) throw new RangeError(TOO_MANY_FIELDS);
      const fieldPath = joinPath(path, name);
      const fieldValue = readField(fieldPath, () => value[name as never]);
      // The caller's output arrays are kept as they are, because results are written into them.
      if (fieldPath === 'out') {
        Object.defineProperty(copy, name, { value: fieldValue, enumerable: true });
        continue;
      }
      const fieldCopy = clonePlain(fieldValue, location, fieldPath, depth + 1, remaining);
      if (fieldCopy !== undefined && fieldCopy !== null) Object.defineProperty(copy, name, { value: fieldCopy, enumerable: true });
    }
    return copy;
  });
}
