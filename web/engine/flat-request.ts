// A request as it crosses into WebAssembly: all of it at once, as a flat list of fields. Asked field by field through Embind, as one
// would read an object, a request of a small attention cost more than the attention. cpp/wasm/request.h reads what is written here.

/** Objects below are left out: an object may hold itself. */
const DEEPEST = 8;
const MOST_FIELDS = 100_000;
/** Of what is not understood only so much is sent, to be shown in a sentence. */
const SHOWN = 200;

export type NumberArray = ArrayLike<number> & ArrayBufferView;

export interface FlatRequest {
  /** For each field a letter for its kind, its path and a zero; then, for a word or another thing, its text and a zero. */
  readonly fields: string;
  /** Those of numbers, lists (their length first) and arrays (their length), in the order of the fields. */
  readonly numbers: readonly number[];
  readonly arrays: readonly NumberArray[];
}

const isNumbers = (value: unknown): value is NumberArray =>
  ArrayBuffer.isView(value) && !(value instanceof DataView || value instanceof BigInt64Array || value instanceof BigUint64Array);

const isNumber = (value: unknown): value is number => typeof value === 'number' || typeof value === 'boolean';

/** The fields of `request`; undefined and null are as good as left out. */
export function flatRequest(request: object): FlatRequest {
  const numbers: number[] = [];
  const arrays: NumberArray[] = [];
  let fields = '';
  let count = 0;

  const text = (words: string) => `${words.includes('\0') ? words.replaceAll('\0', '\ufffd') : words}\0`;
  const add = (path: string, value: unknown, depth: number): void => {
    if (value === undefined || value === null) return;
    count += 1;
    if (count > MOST_FIELDS) throw new RangeError(`it has more than ${MOST_FIELDS} fields`);
    if (typeof value === 'number') {
      fields += `n${path}\0`;
      numbers.push(value);
    } else if (typeof value === 'boolean') {
      fields += `${value ? 'y' : 'f'}${path}\0`;
    } else if (typeof value === 'string') {
      fields += `w${path}\0${text(value)}`;
    } else if (isNumbers(value)) {
      fields += `a${path}\0`;
      numbers.push(value.length);
      arrays.push(value);
    } else if (Array.isArray(value) && value.every(isNumber)) {
      fields += `l${path}\0`;
      numbers.push(value.length);
      for (const number of value) numbers.push(Number(number));
    } else if (Array.isArray(value)) {
      fields += `x${path}\0${text(value.slice(0, SHOWN).map(shown).join(',').slice(0, SHOWN))}`;
    } else if (typeof value === 'object') {
      fields += `o${path}\0`;
      if (depth < DEEPEST) addAll(`${path}.`, value, depth + 1);
    } else {
      fields += `x${path}\0${text(shown(value))}`;
    }
  };
  const addAll = (path: string, object: object, depth: number): void => {
    // A tensor may be of a class whose properties a loop does not find.
    const names = 'shape' in object && 'data' in object ? ['shape', 'data'] : Object.keys(object);
    for (const name of names) add(path + text(name).slice(0, -1), object[name as keyof typeof object], depth);
  };
  addAll('', request, 1);
  return { fields, numbers, arrays };
}

const shown = (value: unknown) => (typeof value === 'object' && value !== null ? 'an object' : String(value).slice(0, SHOWN));
