// A request as it crosses into WebAssembly: all of it at once, as a flat list of fields. Asked field by field through Embind, as one
// would read an object, a request of a small attention cost more than the attention. cpp/wasm/fields.h reads what is written here.

import { PhasorError } from './errors.ts';
import {
  below,
  DEEPEST,
  elementCount,
  elements,
  fieldNames,
  hasFields,
  isAlive,
  isNumberArray,
  isShared,
  MOST_FIELDS,
  MOST_NUMBERS,
  type NumberArray,
  ownArray,
  printed,
  readField,
  SHOWN,
  TOO_MANY,
} from './plain.ts';

export interface FlatRequest {
  /** For each field a letter for its kind, its path, and the text of a word, of a list of words, or of what is shown of other things. */
  readonly fields: string;
  /** For each field the length of its path, then its number, or the length of its text, or how many numbers it has and those of a list. */
  readonly numbers: readonly number[];
  readonly arrays: readonly NumberArray[];
}

const encoder = new TextEncoder();
const isAscii = (words: string) => {
  for (let i = 0; i < words.length; i++) if (words.charCodeAt(i) > 127) return false;
  return true;
};
const isNumber = (value: unknown) => typeof value === 'number';
const isFlag = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
/** Lists of words go as one text, so that a word with a comma is none. */
const isWord = (value: unknown) => typeof value === 'string' && !value.includes(',');
const shown = (value: unknown) => (typeof value === 'string' ? value : printed(value));

class FlatFields implements FlatRequest {
  fields = '';
  readonly numbers: number[] = [];
  readonly arrays: NumberArray[] = [];
  readonly #paths: string[] = []; // of the arrays
  readonly #counts: number[] = [];
  #room = MOST_FIELDS;

  /** Half of an emoji is no text: a sign that says so takes its place. Lengths are those in WebAssembly, in bytes of UTF-8. */
  #text(words: string): void {
    const known = isAscii(words);
    this.fields += known ? words : words.replace(/\p{Surrogate}/gu, '\ufffd');
    this.numbers.push(known ? words.length : encoder.encode(words).length);
  }

  #field(kind: string, path: string): void {
    this.fields += kind;
    this.#text(path);
  }

  /** One field, and those of an object below it; undefined and null are as good as left out. */
  add(path: string, value: unknown, depth: number): void {
    if (value === undefined || value === null) return;
    this.#room -= 1;
    if (this.#room < 0) throw new RangeError(TOO_MANY);
    if (typeof value === 'number') {
      this.#field('n', path);
      this.numbers.push(value);
    } else if (typeof value === 'boolean') {
      this.#field(value ? 'y' : 'f', path);
    } else if (typeof value === 'string') {
      this.#field('w', path);
      this.#text(value);
    } else if (isNumberArray(value)) {
      this.#field('a', path);
      const count = elementCount(value);
      this.numbers.push(count);
      this.arrays.push(value);
      this.#paths.push(path);
      this.#counts.push(count);
    } else if (Array.isArray(value)) {
      this.#addList(path, elements(value));
    } else if (typeof value === 'object' && hasFields(value)) {
      this.#field('o', path);
      if (depth < DEEPEST) this.addAll(path, value, depth + 1);
    } else {
      this.#field('x', path);
      this.#text(printed(value));
    }
  }

  #addList(path: string, list: readonly unknown[]): void {
    const isNumbers = list.every(isNumber);
    if (isNumbers || list.every(isFlag)) {
      if (this.numbers.length + list.length > MOST_NUMBERS) throw new RangeError('the lists of the request are too long together');
      this.#field(isNumbers ? 'l' : 'b', path);
      this.numbers.push(list.length);
      for (const value of list) this.numbers.push(Number(value));
    } else if (list.every(isWord)) {
      this.#field('s', path);
      this.#text(list.join(', '));
    } else {
      this.#field('x', path);
      this.#text(list.slice(0, SHOWN).map(shown).join(', ').slice(0, SHOWN));
    }
  }

  addAll(path: string, object: object, depth: number): void {
    for (const name of fieldNames(object)) {
      const here = below(path, name);
      readField(here, () => this.add(here, object[name as keyof typeof object], depth));
    }
  }

  /** When all is read, and nobody's code runs any more: what was read is still there, and stays as it is until it is copied. */
  settle(): void {
    this.arrays.forEach((array, i) => {
      const count = elementCount(array);
      const wasThere = this.#counts[i] as number;
      if (count === wasThere && (count > 0 || isAlive(array))) {
        if (isShared(array)) this.arrays[i] = ownArray(array, count);
        return;
      }
      const what = wasThere === 0 ? 'its buffer is detached or has become too small' : 'it has changed while the request was read';
      throw new PhasorError('invalid_argument', `${this.#paths[i]}: ${what}`);
    });
  }
}

/** The fields of `request`, which is an argument of the call; `first` is a field that stands before it as an argument of its own. */
export function flatRequest(method: string, request: unknown, argument = 1, first?: readonly [name: string, value: unknown]): FlatRequest {
  const flat = new FlatFields();
  const place = `${method}: argument ${argument}`;
  readField(place, () => {
    if (typeof request !== 'object' || request === null || Array.isArray(request) || !hasFields(request)) {
      throw new PhasorError('invalid_argument', `${place} is ${printed(request)}; an object is needed`);
    }
    if (first) {
      const [name, value] = first;
      readField(name, () => flat.add(name, value, 1));
      if (name in request && request[name as never] !== undefined) {
        throw new PhasorError('invalid_argument', `${name}: it is given twice, as an argument and in the request`);
      }
    }
    flat.addAll('', request, 1);
  });
  flat.settle();
  return flat;
}

/** A copy for another thread: the caller's arrays stay the caller's, and what is done to them later does not reach the call. */
export function ownRequest(method: string, { fields, numbers, arrays }: FlatRequest): FlatRequest {
  try {
    const copies = new Map(arrays.map((array) => [array, ownArray(array)]));
    return { fields, numbers, arrays: arrays.map((array) => copies.get(array) as NumberArray) };
  } catch (thrown) {
    throw new PhasorError(
      'resource_exhausted',
      `${method}: there is no memory for a copy of the request (${PhasorError.from(thrown).message})`,
    );
  }
}
