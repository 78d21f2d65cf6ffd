// The words that pictures write and say by themselves, in one place, so that a language can be added without touching a view. What a picture
// is about comes with its numbers, from the words of its kind.

import { all, whole } from './english.ts';

/** '1 row', '4 rows', '1,024 rows'. */
const counted = (count: number, noun: string): string => `${whole.format(count)} ${noun}${count === 1 ? '' : 's'}`;
const sentences = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ');

export const VIEW_WORDS = {
  counted,
  listed: (names: readonly string[]) => all.format(names),
  number: {
    none: 'not a number',
    zero: 'exactly 0',
    noRange: 'no numbers',
    all: (value: string) => `all ${value}`,
    between: (min: string, max: string) => `between ${min} and ${max}`,
  },
  masked: 'masked',
  noValue: 'none',
  values: 'values',
  matrix: {
    same: (value: string) => `every value is ${value}`,
    size: (rows: number, columns: number) => `${counted(rows, 'row')} by ${counted(columns, 'column')}.`,
    range: (quantity: string, range: string) => `${quantity} ${range}.`,
    extremes: (largest: string, smallest: string) => `Largest at ${largest}, smallest at ${smallest}.`,
    masked: (cells: number, word: string) => `${counted(cells, 'cell')} ${word}.`,
    place: (row: string, column: string) => `row ${row}, column ${column}`,
    aside: (label: string, range: string) => `Column “${label}” by itself, left of the others: ${range}.`,
  },
  lines: {
    none: 'No lines.',
    count: (lines: number, quantity: string, over: string) => `${counted(lines, 'line')} of ${quantity} over ${over}`,
    one: (name: string, range: string) => `${name}: ${range}`,
  },
  strips: (lines: string, range: string, names: readonly string[]) => `${lines}, ${range}: ${all.format(names)}.`,
  heads: {
    name: (head: number) => `head ${head}`,
    description: (heads: number, chosen: number) => `Small maps of ${counted(heads, 'head')}; head ${chosen} is chosen.`,
  },
  dials: {
    rows: (rows: number) => `${counted(rows, 'row')}.`,
    group: (heading: string, count: number) => `${heading}: ${whole.format(count)}`,
  },
  clocks: {
    caption: 'period in positions, fast to slow',
    pair: (pair: number, rotations: string, position: string) => `pair ${pair} at ${position}: ${rotations} rotations`,
    none: 'No clocks.',
    one: (position: string, period: string) => `One clock at position ${position}, period ${period} positions.`,
    several: (count: number, position: string, fast: string, slow: string) =>
      `${whole.format(count)} clocks at position ${position}; periods from ${fast} to ${slow} positions.`,
  },
  scatter: (count: number, x: string, xRange: string, y: string, yRange: string) =>
    `${counted(count, 'point')}. ${x} ${xRange}; ${y} ${yRange}.`,
  points: (count: number, range: string) => `${counted(count, 'point')}; outputs have coordinates ${range}.`,
  stripes: (rows: number, columns: number, values: string, masked: number) =>
    sentences([
      `${counted(rows, 'word')}, ${counted(columns, 'number')} each.`,
      `${values}.`,
      masked > 0 ? `${whole.format(masked)} masked.` : undefined,
    ]),
  arcs: {
    word: (index: number) => `word ${index + 1}`,
    none: 'No word is selected.',
    itself: 'itself',
    weights: (word: string, range: string, largest: string | undefined, masked: number) =>
      sentences([
        `Weights of ${word} ${range}.`,
        largest === undefined ? undefined : `Largest on ${largest}.`,
        masked > 0 ? `${whole.format(masked)} masked.` : undefined,
      ]),
  },
  changes: {
    quantity: 'difference',
    scale: (isLog: boolean) => (isLog ? 'logarithmic scale' : 'linear scale'),
    axis: (quantity: string, scale: string) => `${quantity}, ${scale}`,
    none: 'No differences.',
    description: (words: number, range: string, scale: string, most: string | undefined) =>
      sentences([
        `${counted(words, 'word')}, differences ${range} on a ${scale}.`,
        most === undefined ? undefined : `${most} changed most.`,
      ]),
  },
} as const;
