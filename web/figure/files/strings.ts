// Messages about files that the user opens. Most messages begin with the file name.
import { countWithNoun, joinWithAnd, lazyFormatter } from '../../charts/english.ts';

const compactInteger = lazyFormatter<number>(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }));

const MAX_QUOTE_LENGTH = 60;

const ellipsize = (text: string): string => {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > MAX_QUOTE_LENGTH ? `${line.slice(0, MAX_QUOTE_LENGTH)}…` : line;
};

export const FILE_STRINGS = {
  unknownType: (name: string) => `${name}: unsupported file type; expected .npy, .safetensors, .csv, .json or .txt`,
  unreadable: (name: string) => `${name} could not be read`,
  empty: (name: string) => `${name} is empty`,
  tooLarge: (name: string, size: number, max: number) =>
    `${name} has ${compactInteger.format(size)} bytes; at most ${compactInteger.format(max)} are supported`,
  notAccepted: (name: string) => `${name} contains no data for this figure`,
  notNumpy: (name: string) => `${name} is not a NumPy file: it does not begin with \\x93NUMPY`,
  version: (name: string, version: string) => `${name} is a NumPy file of unsupported version ${version}`,
  header: (name: string) => `${name} has an invalid NumPy header`,
  shape: (name: string, shapeText: string) =>
    `${name} has the shape (${ellipsize(shapeText)}), which is not a tuple of at most 64 whole numbers`,
  structured: (name: string) => `${name} contains a structured array, not an array of numbers`,
  dtype: (name: string, type: string) => `${name} contains values of type ${ellipsize(type)}, not real numbers`,
  truncated: (name: string, available: number, needed: number) => `${name} is truncated: ${available} of ${needed} bytes`,
  tooLong: (name: string, available: number, needed: number) =>
    `${name} has ${available} bytes after its header, but its shape needs ${needed}`,
  notText: (name: string) => `${name} is not UTF-8 text`,
  noNumbers: (name: string) => `${name} contains no numbers`,
  safetensors: (name: string, why: string) => `${name} is not a safetensors file (${why})`,
  quotes: (name: string, line: number) => `${name}: the quotation marks on line ${line} do not enclose a whole cell`,
  ragged: (name: string, line: number, cells: number, first: number, expected: number) =>
    `${name}: line ${line} has ${countWithNoun(cells, 'cell')}, but line ${first} has ${expected}`,
  notCell: (name: string, line: number, column: number, cell: string) =>
    `${name}: ${cell === '' ? 'there is no number' : `“${ellipsize(cell)}” is not a number`} on line ${line}, column ${column}${
      /^[+-]?\d+,\d+$/.test(cell) ? '; write it with a decimal point' : ''
    }`,
  countedRows: (name: string, title: string) =>
    `${name}: the first column, “${ellipsize(title)}”, may contain row numbers or data; remove its title for row numbers, or the header line for data`,
  json: (name: string, why: string) => `${name} is not JSON (${why})`,
  tooDeep: (name: string, max: number) => `${name} is nested too deeply; expected at most ${max} levels`,
  notMatrix: (array: string, shape: readonly number[]) =>
    `${ellipsize(array)} is ${shape.length === 0 ? 'a single number' : ellipsize(shape.join(' × '))}, not a matrix`,
  notImage: (name: string) => `${name} is not an image that this browser can decode`,
  hugeImage: (name: string, width: number, height: number, max: number) =>
    `${name} has ${width} × ${height} pixels; at most ${compactInteger.format(max)} pixels are supported`,
  smallImage: (name: string, width: number, height: number, side: number) =>
    `${name} has ${width} × ${height} pixels; at least ${side} × ${side} are needed`,
  noArray: 'the file contains no array of numbers',
  severalMatrices: (names: readonly string[]) =>
    `the file has several matrices, ${joinWithAnd.format(names.map(ellipsize))}; save one of them as .npy`,
  notFinite: (array: string) => `${ellipsize(array)} has entries that are not finite numbers`,
} as const;
