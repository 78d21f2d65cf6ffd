// Any object as plain data. What callers hand over may be a proxy, of a class, frozen, or run code of its own as it is read: each
// property is read once, here, and whatever is decided afterwards is decided about what was read.

import { PhasorError } from './errors.ts';

export type NumberArray = ArrayLike<number> & ArrayBufferView;

/** Objects below are left out: an object may hold itself. */
export const DEEPEST = 8;
export const MOST_FIELDS = 100_000;
export const TOO_MANY = `the request has more than ${MOST_FIELDS} fields`;
/** Of what is not understood only so much is shown in a sentence. */
export const SHOWN = 200;
/** No list is longer: its numbers take 1 GiB. */
export const MOST_NUMBERS = 2 ** 27;

// As the language defines them: an object may claim anything of itself, these look inside.
const prototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const inside = (name: PropertyKey) => Object.getOwnPropertyDescriptor(prototype, name)?.get as () => unknown;
const [typeName, lengthOf, bufferOf, offsetOf] = [inside(Symbol.toStringTag), inside('length'), inside('buffer'), inside('byteOffset')];
const { keys } = prototype as Int8Array;

/** A typed array whose elements are numbers. */
export const isNumberArray = (value: unknown): value is NumberArray => {
  const name = ArrayBuffer.isView(value) ? typeName.call(value) : undefined;
  return name !== undefined && !(name as string).startsWith('Big');
};

export const elementCount = (array: NumberArray) => lengthOf.call(array) as number;

/** False when the array has lost its memory: its buffer was handed over, or has shrunk. Such an array says that it has no elements. */
export function isAlive(array: NumberArray): boolean {
  try {
    keys.call(array as Int8Array);
    return true;
  } catch {
    return false;
  }
}

type ArrayType = new (buffer: ArrayBufferLike | NumberArray, offset?: number, length?: number) => NumberArray;

/** The same memory as a plain view of `count` elements, whatever class the array is of. */
export function fixedView(array: NumberArray, count = elementCount(array)): NumberArray {
  const type = globalThis[typeName.call(array) as 'Float32Array'] as unknown as ArrayType;
  return new type(bufferOf.call(array) as ArrayBufferLike, offsetOf.call(array) as number, count);
}

/** A copy that nobody else has. */
export function ownArray(array: NumberArray, count = elementCount(array)): NumberArray {
  const view = fixedView(array, count);
  return new (view.constructor as ArrayType)(view);
}

/** Whether other threads may write into the array at any moment. */
export const isShared = (array: NumberArray) => tagOf(bufferOf.call(array)) === '[object SharedArrayBuffer]';

/** "[object Map]" */
export const tagOf = (value: unknown) => Object.prototype.toString.call(value);

/** Anything in the words of a sentence. */
export function printed(value: unknown): string {
  try {
    if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN));
    if (typeof value === 'bigint') return `${value}n`.slice(0, SHOWN);
    if (Array.isArray(value)) return 'a list';
    if (typeof value !== 'object' || value === null) return String(value).slice(0, SHOWN);
    const tag = tagOf(value);
    return tag === '[object Object]' ? 'an object' : tag.slice(0, SHOWN);
  } catch {
    return 'something that cannot be read';
  }
}

const isScalar = (value: unknown) => typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';

/** The elements of a list, each read once; of a list of other things only the first. */
export function elements(list: readonly unknown[]): unknown[] {
  const { length } = list;
  if (length > MOST_NUMBERS) throw new RangeError(`a list of ${length} elements is too long; a typed array may be longer`);
  const copy: unknown[] = [];
  for (let i = 0; i < length; i++) {
    copy.push(list[i]);
    if (i >= SHOWN && !isScalar(copy[i])) break;
  }
  return copy;
}

const isPlain = (object: object) => {
  const parent = Object.getPrototypeOf(object) as object | null;
  return parent === null || Object.getPrototypeOf(parent) === null;
};

/** Whether the object is read by its fields: a tensor of any class, or what is nothing but its fields. */
export const hasFields = (object: object) => isTensor(object) || tagOf(object) === '[object Object]';

const isTensor = (object: object) => 'shape' in object && 'data' in object;

/** The names of an object's fields: what a loop finds, and what its class answers for. A tensor of some class is its shape and data. */
export function fieldNames(object: object): string[] {
  const names: string[] = [];
  if (!isPlain(object) && isTensor(object)) return ['shape', 'data'];
  for (const name in object) names.push(name);
  for (let at = object; !isPlain(at); ) {
    at = Object.getPrototypeOf(at) as object;
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) if (get && !names.includes(name)) names.push(name);
  }
  return names;
}

/** The path of a field. Names are joined by dots, so a dot inside one is marked: it is never taken for a path. */
export const below = (path: string, name: string) => {
  const own = name.includes('.') ? name.replaceAll('.', '\\.') : name;
  return path === '' ? own : `${path}.${own}`;
};

/** Reads a field; what goes wrong is said of the field, whatever was thrown. */
export function readField<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof PhasorError) throw thrown;
    throw new PhasorError('invalid_argument', `${path}: it cannot be read (${PhasorError.from(thrown).message})`);
  }
}

/** The object and what is below it as plain objects and lists; arrays of numbers stay where they are. `place` names it in sentences. */
export function plain(value: unknown, place: string, path = '', depth = 0, room = { fields: MOST_FIELDS }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return readField(path || place, () => {
    if (isNumberArray(value)) return isAlive(value) ? fixedView(value) : value;
    if (Array.isArray(value)) return elements(value);
    if (!hasFields(value)) return value;
    const copy: Record<string, unknown> = {};
    const names = depth < DEEPEST ? fieldNames(value) : [];
    for (const name of names) {
      room.fields -= 1;
      if (room.fields < 0) throw new RangeError(TOO_MANY);
      const here = below(path, name);
      const inner = readField(here, () => value[name as never]);
      const field = plain(inner, place, here, depth + 1, room);
      if (field !== undefined && field !== null) Object.defineProperty(copy, name, { value: field, enumerable: true });
    }
    return copy;
  });
}
