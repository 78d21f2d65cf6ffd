// Parses and prints each field of the state in a link.
import type { Params, ParamValue } from '../../engine/index.ts';
import { isField } from '../../figure/contract/attributes.ts';
import {
  choice,
  count,
  type Field,
  FieldError,
  formatValue,
  number,
  parseParamInput,
  shortestDecimal,
  text,
} from '../../figure/contract/fields.ts';
import { toKebabCase } from '../../figure/contract/spec.ts';
import { isOrder, type Order } from '../../sentence/order.ts';
import { findTextProblem } from '../../sentence/tokens.ts';
import { QUESTION_IDS, VIEW_KINDS } from '../questions/questions.ts';
import { type FigureFields, INITIAL_STATE, type LabState } from './state.ts';

/** Replaces lone surrogates, such as those of a truncated emoji, because `encodeURIComponent` rejects them. */
export const toWellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** Converts entries to an object, and rejects duplicate keys. */
function toObject<Value>(entries: readonly (readonly [string, Value])[]): { readonly [name: string]: Value } {
  const values = Object.fromEntries(entries);
  const duplicateEntry = entries.find(([key], index) => entries.findIndex(([otherKey]) => otherKey === key) !== index);
  if (duplicateEntry) throw new FieldError(`has ${formatValue(duplicateEntry[0])} twice`);
  return values;
}

type LinkField<Value> = Pick<Field<Value>, 'initial' | 'print'> & { read(text: string): Value };

const textField = text(INITIAL_STATE.text, (provided) => {
  if (findTextProblem(provided)) throw new FieldError('has no words or too many words');
});

const orderField: LinkField<Order> = {
  initial: INITIAL_STATE.order,
  read(value) {
    const positions = value.split('.').map(Number);
    if (!/^\d+(\.\d+)*$/.test(value) || !isOrder(positions, positions.length))
      throw new FieldError('does not list every word exactly once', formatValue(value));
    return positions;
  },
  print: (positions) => positions.join('.'),
};

const createNameField = (initial: string): Field<string> =>
  text(initial, (input) => {
    if (input !== initial && !/^[\w-]{1,40}$/.test(input)) throw new FieldError('is not a name', formatValue(input));
  });

const NUMBER_SEPARATOR = ';';
/** The shape of an array with several axes, such as '5x1'. It precedes the array's values. */
const SHAPE_PATTERN = /^[1-9]\d{0,6}(x[1-9]\d{0,6})+$/;
const MAX_VALUE_LENGTH = 2000;

function parseParamValue(valueText: string): ParamValue | undefined {
  if (!valueText.includes(NUMBER_SEPARATOR)) return parseParamInput(valueText);
  const numberTexts = valueText.split(NUMBER_SEPARATOR);
  const shape = SHAPE_PATTERN.test(numberTexts[0] as string)
    ? (numberTexts.shift() as string).split('x').map(Number)
    : [numberTexts.length];
  const data = Float32Array.from(numberTexts, Number);
  const hasAllNumbers = shape.reduce((size, extent) => size * extent, 1) === data.length;
  return hasAllNumbers && data.every(Number.isFinite) && !numberTexts.includes('') ? { shape, data } : undefined;
}

/** Prints a value, such as '0.5;0.25', or '2x1;0.5;0.25' with a shape. Returns undefined for an array that is too long for a link. */
export const printParam = (value: ParamValue): string | undefined => {
  if (typeof value !== 'object') return String(value);
  const { shape, data } = value;
  const text = [...(shape.length > 1 ? [shape.join('x')] : []), ...Array.from(data, shortestDecimal)].join(NUMBER_SEPARATOR);
  return text.length <= MAX_VALUE_LENGTH ? text : undefined;
};

/** The encoding's parameters, such as 'base:500000,layout:half_split,slopes:0.5;0.25'. */
const paramsField: LinkField<Params> = {
  initial: INITIAL_STATE.params,
  read(value) {
    const entries = value.split(',').map((entry) => {
      const [, key, valueText = ''] = /^(\w{1,40}):([\w.+;-]{1,2000})$/.exec(entry) ?? [];
      const param = parseParamValue(valueText);
      if (key === undefined || param === undefined) throw new FieldError('is not a list like base:10000', formatValue(value));
      return [key, param] as const;
    });
    return toObject(entries);
  },
  print: (values) =>
    Object.entries(values)
      .map(([key, value]) => [key, printParam(value)] as const)
      .filter(([, printed]) => printed !== undefined)
      .map((entry) => entry.join(':'))
      .join(','),
};

/** Escapes commas, which separate the entries of a list. Other special characters are escaped with the whole link. */
const escapeCommas = (value: string): string => value.replaceAll('%', '%25').replaceAll(',', '%2C');

/** Fields of figures, such as 'similarity.length:128,attention.matrix:scores'. Links of earlier versions escape more characters in values. */
const figuresField: LinkField<FigureFields> = {
  initial: INITIAL_STATE.figures,
  read(value) {
    const entries = value.split(',').map((entry) => {
      const [, key, kind = '', valueText = ''] = /^(([a-z-]{1,20})\.\w{1,40}):(.*)$/s.exec(entry) ?? [];
      if (key === undefined) throw new FieldError('is not a list like similarity.length:128', formatValue(value));
      if (!VIEW_KINDS.includes(kind)) throw new FieldError(`contains ${formatValue(kind)}, which is not a figure on this page`);
      // Each entry becomes an attribute, so names that cannot be fields, such as `class`, are rejected. <ph-notes> reports unknown fields.
      const field = key.slice(kind.length + 1);
      if (!isField(toKebabCase(field))) throw new FieldError(`contains ${formatValue(field)}, which is not a figure field`);
      try {
        return [key, decodeURIComponent(valueText)] as const;
      } catch {
        throw new FieldError('has a % not followed by two hexadecimal digits', formatValue(value));
      }
    });
    return toObject(entries);
  },
  print: (values) =>
    Object.entries(values)
      .map(([key, value]) => `${key}:${escapeCommas(toWellFormed(value))}`)
      .join(','),
};

/** Number of steps in the tour. A test compares it with TOUR. */
const TOUR_STEP_COUNT = 4;

export const LINK_FIELDS: { readonly [Key in keyof LabState]: LinkField<LabState[Key]> } = {
  text: textField,
  order: orderField,
  encoding: createNameField(INITIAL_STATE.encoding),
  params: paramsField,
  mask: choice('none', 'causal'),
  heads: number(INITIAL_STATE.heads),
  head: number(INITIAL_STATE.head, 0, Number.POSITIVE_INFINITY, { whole: true }),
  projections: choice('identity', 'orthogonal', 'trained'),
  seed: number(INITIAL_STATE.seed),
  positionOffset: number(INITIAL_STATE.positionOffset),
  dim: number(INITIAL_STATE.dim),
  question: choice(...QUESTION_IDS),
  view: createNameField(INITIAL_STATE.view),
  figures: figuresField,
  tour: count(INITIAL_STATE.tour, 0, TOUR_STEP_COUNT),
};
