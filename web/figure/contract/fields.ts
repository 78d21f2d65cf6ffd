// Field types. A type defines which values a field accepts, how it prints them as text, and which control sets it.
import type { DynamicId, EncodingConfig, Injection, Params, ParamValue, Tensor } from '../../engine/index.ts';
import { FieldError, formatValue, parseNumber } from './field-error.ts';
import { type EncodingFilter, type EncodingRequirement, FILTERS } from './offered.ts';
import { STRINGS } from './strings.ts';

export { FieldError, formatValue };

export type Control =
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly whole: boolean; readonly logarithmic: boolean }
  /** `labels` contains the label to display for each value. */
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly labels?: { readonly [value: string]: string } }
  /** Any number of choices, stored as a comma-separated string. */
  | { readonly kind: 'several'; readonly choices: readonly (readonly [word: string, label: string])[] }
  | { readonly kind: 'switch' }
  | { readonly kind: 'text'; readonly long: boolean }
  | {
      readonly kind: 'encoding';
      readonly injections: readonly Injection[] | undefined;
      readonly ids: readonly string[] | undefined;
      readonly rotates: true | undefined;
    }
  /** A field without a control, set by a file, a link or a script. */
  | { readonly kind: 'none' };

export interface Field<Value> {
  readonly initial: Value;
  readonly control: Control;
  /** Parses a value or its text form. Throws a FieldError if it is invalid. */
  read(input: unknown): Value;
  /** Prints a value as text that `read` can parse. Returns undefined if it has no text form, such as an array from a file. */
  print(value: Value): string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds fields of any values
export type FieldTable = { readonly [name: string]: Field<any> };
export type SpecOf<Fields extends FieldTable> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never;
};

export type EncodingSpec = EncodingConfig;

/** Creates a spec for an encoding whose id is known only at run time. */
export const encodingSpec = (id: string, params: Params = {}): EncodingSpec => ({ ...params, id: id as DynamicId });

interface NumberOptions {
  readonly whole?: boolean;
  readonly logarithmic?: boolean;
}

/** A number from `min` to `max`. Either limit may be infinite. */
export function number(
  initial: number,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
  { whole = false, logarithmic = false }: NumberOptions = {},
): Field<number> {
  return {
    initial,
    control: { kind: 'number', min, max, whole, logarithmic },
    read(input) {
      const value = parseNumber(input);
      if (whole && !Number.isInteger(value)) throw new FieldError(STRINGS.notWhole, formatValue(input));
      if (value < min || value > max) throw new FieldError(STRINGS.outside(min, max), formatValue(input));
      // Replaces -0 with 0, because both are printed as "0".
      return value === 0 ? 0 : value;
    },
    print: String,
  };
}

/** The value of an optional number while it is not set. */
export const OFF = 'off';

/** A number or 'off'; the default is 'off'. */
export function optional(field: Field<number>): Field<number | typeof OFF> {
  return { ...field, initial: OFF, read: (input) => (input === OFF ? OFF : field.read(input)), print: String };
}

/** A whole number from `min` to `max`. */
export const count = (initial: number, min: number, max: number): Field<number> =>
  number(initial, min, max, { whole: true, logarithmic: min >= 1 && max / min > 64 });

/** A field with a fixed set of values. The first value is the default. */
export function choice<const Words extends readonly [string, ...string[]]>(...choices: Words): Field<Words[number]> {
  return {
    initial: choices[0],
    control: { kind: 'choice', choices },
    read(input) {
      const value = choices.find((candidate) => candidate === input);
      if (value === undefined) throw new FieldError(STRINGS.noneOf(choices), formatValue(input));
      return value;
    },
    print: (value) => value,
  };
}

export const withLabels = <Word extends string>(field: Field<Word>, labels: { readonly [Each in Word]: string }): Field<Word> =>
  field.control.kind === 'choice' ? { ...field, control: { ...field.control, labels } } : field;

/** Splits a string at commas and whitespace, and removes duplicates. */
export const splitList = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

const isString = (value: unknown): value is string => typeof value === 'string';

/** A field for up to `maxCount` of the choices. It accepts an array or a comma-separated string. */
export function multiSelect(
  initial: string,
  choices: readonly (readonly [word: string, label: string])[],
  maxCount: number,
): Field<string> {
  return {
    initial,
    control: { kind: 'several', choices },
    read(input) {
      const choiceValues = choices.map(([value]) => value);
      const text = Array.isArray(input) && input.every(isString) ? input.join(',') : input;
      // Objects are rejected, because splitting their string form would result in “[object” and “Object]”.
      if (!isString(text)) throw new FieldError(STRINGS.noneOf(choiceValues), formatValue(input));
      const values = splitList(text);
      const unknownValue = values.find((value) => !choiceValues.includes(value));
      if (unknownValue !== undefined) throw new FieldError(STRINGS.noneOf(choiceValues), formatValue(unknownValue));
      if (values.length > maxCount) throw new FieldError(STRINGS.tooManyOf(maxCount));
      return text;
    },
    print: (values) => values,
  };
}

/** A boolean field. An attribute without a value is true. */
export function boolean(initial: boolean): Field<boolean> {
  return {
    initial,
    control: { kind: 'switch' },
    read(input) {
      if (input === true || input === 'true' || input === '') return true;
      if (input === false || input === 'false') return false;
      throw new FieldError(STRINGS.notFlag, formatValue(input));
    },
    print: String,
  };
}

/** A text field. `check` throws a FieldError if the text is invalid. */
export function text(initial: string, check: (text: string) => void = () => {}, isLong = true): Field<string> {
  return {
    initial,
    control: { kind: 'text', long: isLong },
    read(input) {
      if (typeof input !== 'string') throw new FieldError(STRINGS.notText, formatValue(input));
      check(input);
      return input;
    },
    print: (value) => value,
  };
}

/** A field for a list of numbers, printed as a comma-separated string. */
export function numbers(initial: readonly number[], check: (numbers: readonly number[]) => void = () => {}): Field<readonly number[]> {
  return {
    initial,
    control: { kind: 'none' },
    read(input) {
      const items = typeof input === 'string' ? (input.trim() === '' ? [] : input.trim().split(/\s*,\s*|\s+/)) : input;
      if (!Array.isArray(items) && !ArrayBuffer.isView(items)) throw new FieldError(STRINGS.notList, formatValue(input));
      const values = Array.from(items as ArrayLike<unknown>, parseNumber);
      check(values);
      return values;
    },
    print: (values) => values.join(','),
  };
}

/** A field for a tensor from a file or a script, or undefined. `check` throws a FieldError if the tensor is invalid. */
export function tensor(check: (tensor: Tensor) => void): Field<Tensor | undefined> {
  return {
    initial: undefined,
    control: { kind: 'none' },
    read(input) {
      if (input === undefined || input === null || input === '') return undefined;
      const { shape, data } = input as Partial<Tensor>;
      const isShape = Array.isArray(shape) && shape.every((extent) => Number.isInteger(extent) && extent >= 0);
      if (!isShape || !(data instanceof Float32Array) || data.length !== shape.reduce((size, extent) => size * extent, 1))
        throw new FieldError(STRINGS.notTensor, formatValue(input));
      check(input as Tensor);
      return input as Tensor;
    },
    print: () => undefined,
  };
}

/** Matches a shape followed by array elements, such as '2x3:0.5,0,1,2,0.25,7'. */
const SHAPED_ARRAY_PATTERN = /^(\d+(?:x\d+)*):(.+)$/;

function parseArray(text: string, shape?: readonly number[]): Tensor {
  const data = Float32Array.from(text.split(','), parseNumber);
  if (shape && shape.reduce((size, extent) => size * extent, 1) !== data.length) throw new FieldError(STRINGS.notShape(shape, data.length));
  return { shape: shape ?? [data.length], data };
}

const parseParam = (value: string): ParamValue => {
  if (value === 'true' || value === 'false') return value === 'true';
  const [, shapeText, elementList] = SHAPED_ARRAY_PATTERN.exec(value) ?? [];
  if (shapeText !== undefined && elementList !== undefined) return parseArray(elementList, shapeText.split('x').map(Number));
  if (value.includes(',')) return parseArray(value);
  // Numbers that overflow become infinite. The core then rejects them as out of range.
  return value !== '' && !Number.isNaN(Number(value)) && !value.includes('Infinity') ? Number(value) : value;
};

export const MAX_PRINTED_ELEMENTS = 1024;

/** Returns the shortest decimal that parses to the same float32. */
export function shortestDecimal(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(value);
}

function printParam(value: ParamValue): string {
  if (typeof value !== 'object') return String(value);
  const elementText = Array.from(value.data, shortestDecimal).join(',');
  // A list with one element is printed with its shape; otherwise it would be parsed as a scalar.
  return value.shape.length === 1 && value.data.length > 1 ? elementText : `${value.shape.join('x')}:${elementText}`;
}

export const parseParamInput = (input: unknown): ParamValue => (typeof input === 'string' ? parseParam(input) : (input as ParamValue));

/**
 * A field for an encoding, such as 'rope', 'rope base=500000 layout=half_split' or { id: 'rope', base: 500000 }. The core checks the id and
 * the parameters. `filter` limits the encodings that the control offers; default: all.
 */
export function encoding(initial: string, filter: EncodingRequirement | EncodingFilter = {}): Field<EncodingSpec> {
  const { injections, ids, rotates } = typeof filter === 'string' ? FILTERS[filter] : filter;
  const read = (input: unknown): EncodingSpec => {
    if (typeof input === 'string') {
      const [id = '', ...params] = input.trim().split(/\s+/);
      const paramMatches = params.map((param) => /^(\w+)=(.+)$/.exec(param));
      const names = ['id', ...paramMatches.map((match) => match?.[1])];
      // Each parameter may occur once. None may be named id, because the first word is the id.
      if (!/^\w+$/.test(id) || paramMatches.includes(null) || new Set(names).size !== names.length)
        throw new FieldError(STRINGS.notEncoding, formatValue(input));
      return { id, ...Object.fromEntries(paramMatches.map((match) => [match?.[1], parseParam(match?.[2] ?? '')])) };
    }
    if (typeof input === 'object' && input !== null && typeof (input as { id?: unknown }).id === 'string')
      return { ...(input as EncodingSpec) };
    throw new FieldError(STRINGS.notEncoding, formatValue(input));
  };
  return {
    initial: read(initial),
    control: { kind: 'encoding', injections, ids, rotates },
    read,
    print({ id, ...params }) {
      const definedParams = Object.entries(params).filter(([, value]) => value !== undefined) as [string, ParamValue][];
      // Long arrays come from files and do not fit into a link.
      if (definedParams.some(([, value]) => typeof value === 'object' && !(value.shape && value.data?.length <= MAX_PRINTED_ELEMENTS)))
        return undefined;
      return [id, ...definedParams.map(([name, value]) => `${name}=${printParam(value)}`)].join(' ');
    },
  };
}
