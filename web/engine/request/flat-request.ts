// Serializes a request as a flat list of fields, which is passed to WebAssembly in a single call and parsed by cpp/wasm/fields.h. Reading
// an object field by field from WebAssembly would take longer than a small attention call.

import { argumentError, PhasorError } from '../errors.ts';
import { describeHandle, type HandleOwner, toRequestField } from '../handles.ts';
import type { OutHandler } from './out.ts';
import type { OutSlot } from './out-arrays.ts';
import {
  cloneArray,
  copyElements,
  hasStrides,
  inspect,
  isAttached,
  isNumberArray,
  isPlain,
  isSharedArray,
  joinPath,
  MAX_DEPTH,
  MAX_FIELDS,
  MAX_LIST_LENGTH,
  MAX_VALUE_CHARACTERS,
  type NumberArray,
  readField,
  TOO_MANY_FIELDS,
} from './plain.ts';
import { type SourceArray, StridedArray, toRowMajorFields } from './strided.ts';

export interface FlatRequest {
  /**
   * For each field: a letter for its type, its path, and its value if that is text (a string, a list of strings, or an unsupported value).
   */
  readonly fields: string;
  /**
   * For each field: the length of its path, then its value: a number, the length of a string or an array, or the length and the elements of
   * a list.
   */
  readonly numbers: readonly number[];
  readonly arrays: readonly SourceArray[];
  readonly out?: readonly OutSlot[];
}

const encoder = new TextEncoder();
const isAscii = (text: string) => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
};
const isNumber = (value: unknown) => typeof value === 'number';
const isNumberOrBoolean = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
/** Returns true if a list of strings can contain the value. The strings are joined with commas, so they must not contain commas. */
const isListableString = (value: unknown) => typeof value === 'string' && !value.includes(',');
const CONFIG_PREFIX = 'config.';
const formatElement = (value: unknown) => (typeof value === 'string' ? value : inspect(value));

class FlatFields implements FlatRequest {
  fields = '';
  readonly numbers: number[] = [];
  readonly arrays: SourceArray[] = [];
  out?: OutSlot[];
  readonly #inputs: (readonly [path: string, array: NumberArray])[] = [];
  readonly #owner: HandleOwner | undefined;
  readonly #outHandler: OutHandler | undefined;
  #remainingFields = MAX_FIELDS;

  constructor({ owner, creates, out }: FlatOptions) {
    this.#owner = owner;
    this.#outHandler = out;
    if (creates !== undefined) this.#number('h', 'handle', creates);
  }

  /**
   * Appends text, with lone surrogates replaced by U+FFFD, and its length in UTF-8 bytes, because WebAssembly receives the text as UTF-8.
   */
  #text(text: string): void {
    const hasOnlyAscii = isAscii(text);
    this.fields += hasOnlyAscii ? text : text.replace(/\p{Surrogate}/gu, '\ufffd');
    this.numbers.push(hasOnlyAscii ? text.length : encoder.encode(text).length);
  }

  #field(kind: string, path: string): void {
    this.fields += kind;
    this.#text(path);
  }

  #number(kind: string, path: string, value: number): void {
    this.#field(kind, path);
    this.numbers.push(value);
  }

  /** Adds a field and, if its value is an object, its nested fields. Skips undefined, and also null except in a model's config. */
  add(path: string, value: unknown, depth: number): void {
    if (value === undefined || (value === null && !path.startsWith(CONFIG_PREFIX))) return;
    this.#remainingFields -= 1;
    if (this.#remainingFields < 0) throw new RangeError(TOO_MANY_FIELDS);
    if (value === null) {
      this.#field('z', path);
      return;
    }
    if (typeof value === 'number') {
      this.#number('n', path, value);
    } else if (typeof value === 'boolean') {
      this.#field(value ? 'y' : 'f', path);
    } else if (typeof value === 'string') {
      this.#field('w', path);
      this.#text(value);
    } else if (isNumberArray(value)) {
      this.#addArray(path, value, value, value.length);
    } else if (value instanceof StridedArray) {
      this.#addArray(path, value.array, value, value.length);
    } else if (Array.isArray(value)) {
      this.#addList(path, copyElements(value), depth);
    } else if (typeof value === 'object' && this.#addHandle(path, value)) {
      // #addHandle has added the field
    } else if (typeof value === 'object' && isPlain(value)) {
      this.#field('o', path);
      if (depth >= MAX_DEPTH) return;
      if (hasStrides(value)) this.#addTensor(path, value, depth + 1);
      else this.addAll(path, value, depth + 1);
    } else {
      this.#field('x', path);
      this.#text(inspect(value));
    }
  }

  #addArray(path: string, array: NumberArray, source: SourceArray, count: number): void {
    if (array.length === 0 && !isAttached(array)) throw argumentError(path, 'has a detached or shrunk buffer');
    this.#field('a', path);
    this.numbers.push(count);
    this.arrays.push(isSharedArray(array) ? copySource(source) : source);
    this.#inputs.push([path, array]);
  }

  #addTensor(path: string, tensor: object, depth: number): void {
    const fields: Record<string, unknown> = {};
    for (const name of Object.keys(tensor)) {
      const value = readField(joinPath(path, name), () => tensor[name as keyof typeof tensor] as unknown);
      Object.defineProperty(fields, name, { value, enumerable: true });
    }
    for (const [name, value] of Object.entries(toRowMajorFields(path, fields))) {
      const fieldPath = joinPath(path, name);
      readField(fieldPath, () => this.add(fieldPath, value, depth));
    }
  }

  #addHandle(path: string, value: object): boolean {
    const field = toRequestField(path, value, this.#owner);
    if (field) this.#number(field[0], path, field[1]);
    return field !== undefined;
  }

  #addList(path: string, list: readonly unknown[], depth: number): void {
    const areNumbers = list.every(isNumber);
    if (areNumbers || list.every(isNumberOrBoolean)) {
      if (this.numbers.length + list.length > MAX_LIST_LENGTH)
        throw new RangeError('the lists in the request have too many elements in total');
      this.#field(areNumbers ? 'l' : 'b', path);
      this.numbers.push(list.length);
      for (const value of list) this.numbers.push(Number(value));
    } else if (list.every(isListableString)) {
      this.#field('s', path);
      this.#text(list.join(', '));
    } else if (
      path.startsWith(CONFIG_PREFIX) &&
      depth < MAX_DEPTH &&
      list.every((value) => Array.isArray(value) || isListableString(value) || isNumber(value))
    ) {
      // Each element of a nested list becomes a separate field with its index as the name.
      list.forEach((value, index) => {
        this.add(joinPath(path, String(index)), value, depth + 1);
      });
    } else {
      this.#field('x', path);
      this.#text(list.slice(0, MAX_VALUE_CHARACTERS).map(formatElement).join(', ').slice(0, MAX_VALUE_CHARACTERS));
    }
  }

  addAll(path: string, object: object, depth: number): void {
    for (const name of Object.keys(object)) {
      const fieldPath = joinPath(path, name);
      readField(fieldPath, () => {
        const value = object[name as keyof typeof object] as unknown;
        if (fieldPath === 'out' && this.#outHandler) this.#addOut(this.#outHandler.read(value));
        else this.add(fieldPath, value, depth);
      });
    }
  }

  #addOut(slots: OutSlot[]): void {
    if (slots.length > 0) this.out = slots;
  }

  /** Rejects output arrays that overlap with input arrays. */
  checkOut(): void {
    if (this.out) this.#outHandler?.check(this.out, this.#inputs);
  }
}

const copySource = (source: SourceArray) => (source instanceof StridedArray ? source.contiguous() : cloneArray(source));

export interface FlatOptions {
  /** Name of the request in error messages; default: "argument 1". */
  readonly argument?: string;
  /** A field that the caller passes as a separate argument before the request. */
  readonly first?: readonly [name: string, value: unknown];
  /** The engine that owns the handles in the request. */
  readonly owner?: HandleOwner;
  /** The number of the handle that the call creates, if any. */
  readonly creates?: number | undefined;
  /** Handles the field `out`, which lets callers provide arrays for the results. If absent, the core rejects `out`. */
  readonly out?: OutHandler | undefined;
}

export function serializeRequest(method: string, request: unknown, options: FlatOptions = {}): FlatRequest {
  const { argument = 'argument 1', first: firstArgument } = options;
  const flatFields = new FlatFields(options);
  const location = `${method}: ${argument}`;
  readField(location, () => {
    if (typeof request !== 'object' || request === null || Array.isArray(request) || describeHandle(request) || !isPlain(request)) {
      throw new PhasorError('invalid_argument', `${location} is ${inspect(request)}; expected an object`);
    }
    if (firstArgument) {
      const [name, value] = firstArgument;
      readField(name, () => flatFields.add(name, value, 1));
      if (name in request && request[name as never] !== undefined) {
        throw argumentError(name, 'occurs twice, as an argument and in the request');
      }
    }
    flatFields.addAll('', request, 1);
  });
  flatFields.checkOut();
  return flatFields;
}

/** Copies a request so that it can be transferred to another thread. Later changes to the caller's arrays do not affect the call. */
export function cloneRequest(method: string, { fields, numbers, arrays, out }: FlatRequest): FlatRequest {
  try {
    const copies = new Map(arrays.map((source) => [source, copySource(source)]));
    const clonedRequest = { fields, numbers, arrays: arrays.map((source) => copies.get(source) as NumberArray) };
    // The worker only compares shapes. The caller's arrays stay on this thread and are filled after the response.
    return out ? { ...clonedRequest, out: out.map(({ path, length, shape }) => ({ path, length, shape })) } : clonedRequest;
  } catch (thrown) {
    throw new PhasorError('resource_exhausted', `${method}: out of memory while copying the request (${PhasorError.from(thrown).message})`);
  }
}
