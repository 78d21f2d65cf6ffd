// The state that the user can set, in one table: initial values, and how they are parsed from and printed to a link.
import type { Mask, Params } from '../engine/index.ts';
import { isOrder, type Order } from '../sentence/order.ts';
import type { Matrix, Projections, Setting } from '../sentence/setting.ts';
import { textProblem } from '../sentence/tokens.ts';
import examples from './examples.json';

export type LabState = Setting;

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

function choice<Word extends string>(...words: readonly [Word, ...Word[]]): Field<Word> {
  return {
    initial: words[0],
    parse(text) {
      const word = words.find((candidate) => candidate === text);
      if (!word) throw new LinkError(`is ${quoted(text)}, which is none of ${words.join(', ')}`);
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
    if (!isOrder(places, places.length)) throw new LinkError(`is ${quoted(value)}, which does not name every word once`);
    return places;
  },
  print: (places) => places.join('.'),
};

const name: Field<string> = {
  initial: 'none',
  parse(value) {
    if (!/^\w{1,40}$/.test(value)) throw new LinkError(`is ${quoted(value)}, which is not a name`);
    return value;
  },
  print: (value) => value,
};

/** 'base:500000,layout:half_split' */
const params: Field<Params> = {
  initial: {},
  parse(value) {
    const entries = value.split(',').map((entry) => {
      const parts = /^(\w{1,40}):([\w.+-]{1,40})$/.exec(entry);
      if (!parts) throw new LinkError(`is ${quoted(value)}, which is not a list like base:10000`);
      const [, key = '', word = ''] = parts;
      const plain = word === 'true' ? true : word === 'false' ? false : Number.isFinite(Number(word)) ? Number(word) : word;
      return [key, plain] as const;
    });
    return Object.fromEntries(entries);
  },
  print: (values) =>
    Object.entries(values)
      .map(([key, value]) => `${key}:${value}`)
      .join(','),
};

export const FIELDS: { readonly [Key in keyof LabState]: Field<LabState[Key]> } = {
  text,
  order,
  encoding: name,
  params,
  mask: choice<Mask>('none', 'causal'),
  heads: number(4),
  head: number(1),
  matrix: choice<Matrix>('weights', 'scores'),
  projections: choice<Projections>('identity', 'orthogonal'),
  seed: number(1),
  offset: number(0),
  width: number(64),
};

export const INITIAL: LabState = Object.fromEntries(
  Object.entries(FIELDS).map(([key, { initial }]) => [key, initial]),
) as unknown as LabState;
