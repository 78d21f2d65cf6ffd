// The state that the user can set, in one table: initial values, and how they are parsed from and printed to a link.
import type { Mask, Params, ParamValue } from '../../engine/index.ts';
import { isField } from '../../figure/contract/attributes.ts';
import { brief } from '../../figure/contract/fields.ts';
import { kebab } from '../../figure/contract/spec.ts';
import { isOrder, type Order } from '../../sentence/order.ts';
import { textProblem } from '../../sentence/tokens.ts';
import { QUESTION_IDS, type QuestionId, VIEW_KINDS } from '../questions/questions.ts';
import examples from './examples.json';
import { wellFormed } from './well-formed.ts';

export type Projections = 'identity' | 'orthogonal';

/** What readers have set in single figures: text of fields, by 'kind.field'. */
export type FigureFields = { readonly [name: string]: string };

export interface LabState {
  /** The sentence as written: 1 to 512 tokens. */
  readonly text: string;
  /** The current order of its words; empty: as written. */
  readonly order: Order;
  readonly encoding: string;
  /** Parameters of the encoding that differ from their defaults. */
  readonly params: Params;
  readonly mask: Mask;
  readonly heads: number;
  /** Index of the head shown; with fewer heads the last one. */
  readonly head: number;
  readonly projections: Projections;
  readonly seed: number;
  /** Position of the first word. */
  readonly offset: number;
  /** Width of the embeddings. */
  readonly width: number;
  readonly question: QuestionId;
  /** The kind of the large figure; '': the one that suits the encoding. */
  readonly view: string;
  readonly figures: FigureFields;
  /** The step of the tour, from 1; 0: none. */
  readonly tour: number;
}

export interface Field<Value> {
  readonly initial: Value;
  /** Parses the text of a link; throws a LinkError. */
  parse(text: string): Value;
  print(value: Value): string;
}

/** Why a part of a link is invalid, as the end of a sentence. */
export class LinkError extends Error {}

/** Quotes a part of a link, truncated, for an error message. */
export const quoted = (text: string): string => `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;

function number(initial: number): Field<number> {
  return {
    initial,
    parse(text) {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value)) throw new LinkError(`is ${quoted(text)}, which is not a number`);
      return value;
    },
    print: String,
  };
}

function whole(initial: number, min: number, max = Number.MAX_SAFE_INTEGER): Field<number> {
  const allowed = max === Number.MAX_SAFE_INTEGER ? `from ${min} up` : `from ${min} to ${max}`;
  return {
    initial,
    parse(text) {
      const value = Number(text);
      if (!/^\d+$/.test(text) || value < min || value > max)
        throw new LinkError(`is ${quoted(text)}, which is not a whole number ${allowed}`);
      return value;
    },
    print: String,
  };
}

/** The entries of a list as an object; a name that stands there twice is refused. */
function named<Value>(entries: readonly (readonly [string, Value])[]): { readonly [name: string]: Value } {
  const values = Object.fromEntries(entries);
  const twice = entries.find(([key], at) => entries.findIndex(([other]) => other === key) !== at);
  if (twice) throw new LinkError(`has ${quoted(twice[0])} twice`);
  return values;
}

function choice<Word extends string>(...words: readonly [Word, ...Word[]]): Field<Word> {
  return {
    initial: words[0],
    parse(text) {
      const word = words.find((candidate) => candidate === text);
      if (word === undefined) throw new LinkError(`is ${quoted(text)}, but must be one of: ${words.join(', ')}`);
      return word;
    },
    print: (word) => word,
  };
}

const text: Field<string> = {
  initial: examples[0] as string,
  parse(value) {
    if (textProblem(value)) throw new LinkError('has no words, or too many');
    return value;
  },
  print: (value) => value,
};

const order: Field<Order> = {
  initial: [],
  parse(value) {
    const places = value.split('.').map(Number);
    if (!/^\d+(\.\d+)*$/.test(value) || !isOrder(places, places.length))
      throw new LinkError(`is ${quoted(value)}, which does not name every word once`);
    return places;
  },
  print: (places) => places.join('.'),
};

function name(initial: string): Field<string> {
  return {
    initial,
    parse(value) {
      if (!/^\w{1,40}$/.test(value)) throw new LinkError(`is ${quoted(value)}, which is not a name`);
      return value;
    },
    print: (value) => value,
  };
}

/** Between the numbers of a list. */
const SEPARATOR = ';';
/** The sides of an array of several axes, before its numbers: '5x1'. */
const SHAPE = /^[1-9]\d{0,6}(x[1-9]\d{0,6})+$/;
/** Letters of a value at most. */
const LONGEST = 2000;

function paramIn(word: string): ParamValue | undefined {
  if (word === 'true' || word === 'false') return word === 'true';
  if (!word.includes(SEPARATOR)) return Number.isFinite(Number(word)) ? Number(word) : word;
  const parts = word.split(SEPARATOR);
  const shape = SHAPE.test(parts[0] as string) ? (parts.shift() as string).split('x').map(Number) : [parts.length];
  const data = Float32Array.from(parts, Number);
  const isWhole = shape.reduce((size, side) => size * side, 1) === data.length;
  return isWhole && data.every(Number.isFinite) && !parts.includes('') ? { shape, data } : undefined;
}

/** As text: '0.5;0.25', or with its shape '2x1;0.5;0.25'; undefined for an array that is too long for a link. */
export const printedParam = (value: ParamValue): string | undefined => {
  if (typeof value !== 'object') return String(value);
  const { shape, data } = value;
  const text = [...(shape.length > 1 ? [shape.join('x')] : []), ...Array.from(data, brief)].join(SEPARATOR);
  return text.length <= LONGEST ? text : undefined;
};

/** 'base:500000,layout:half_split,slopes:0.5;0.25' */
const params: Field<Params> = {
  initial: {},
  parse(value) {
    const entries = value.split(',').map((entry) => {
      const [, key, word = ''] = /^(\w{1,40}):([\w.+;-]{1,2000})$/.exec(entry) ?? [];
      const param = paramIn(word);
      if (key === undefined || param === undefined) throw new LinkError(`is ${quoted(value)}, which is not a list like base:10000`);
      return [key, param] as const;
    });
    return named(entries);
  },
  print: (values) =>
    Object.entries(values)
      .map(([key, value]) => [key, printedParam(value)] as const)
      .filter(([, printed]) => printed !== undefined)
      .map((entry) => entry.join(':'))
      .join(','),
};

/** 'similarity.length:128,attention.matrix:scores'; values are escaped. */
const figures: Field<FigureFields> = {
  initial: {},
  parse(value) {
    const entries = value.split(',').map((entry) => {
      const [, key, kind = '', word = ''] = /^(([a-z]{1,20})\.\w{1,40}):(.*)$/.exec(entry) ?? [];
      if (key === undefined) throw new LinkError(`is ${quoted(value)}, which is not a list like similarity.length:128`);
      if (!VIEW_KINDS.includes(kind)) throw new LinkError(`has ${quoted(kind)}, which is not a figure of this page`);
      // It becomes an attribute, of which most say something else than a field.
      const field = key.slice(kind.length + 1);
      if (!isField(kebab(field))) throw new LinkError(`has ${quoted(field)}, which is not a field of a figure`);
      try {
        return [key, decodeURIComponent(word)] as const;
      } catch {
        throw new LinkError(`is ${quoted(value)}, which has a % without two digits`);
      }
    });
    return named(entries);
  },
  print: (values) =>
    Object.entries(values)
      .map(([key, value]) => `${key}:${encodeURIComponent(wellFormed(value))}`)
      .join(','),
};

/** As many as the tour has; a test holds the two together. */
const TOUR_STEPS = 4;

export const FIELDS: { readonly [Key in keyof LabState]: Field<LabState[Key]> } = {
  text,
  order,
  encoding: name('none'),
  params,
  mask: choice<Mask>('none', 'causal'),
  heads: number(4),
  head: whole(1, 0),
  projections: choice<Projections>('identity', 'orthogonal'),
  seed: number(1),
  offset: number(0),
  width: number(64),
  question: choice<QuestionId>(...QUESTION_IDS),
  view: { ...name(''), parse: (value) => (value === '' ? '' : name('').parse(value)) },
  figures,
  tour: whole(0, 0, TOUR_STEPS),
};

export const INITIAL: LabState = Object.fromEntries(
  Object.entries(FIELDS).map(([key, { initial }]) => [key, initial]),
) as unknown as LabState;
