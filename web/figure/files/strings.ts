// What is said about files of the reader's own: one sentence each, which begins with the name of the file.
import { all, formatter } from '../../charts/english.ts';

const bytes = formatter<number>(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }));

const MAX = 60;

/** What a file says, on one line: it may be of any length and hold any letters. */
const ellipsize = (text: string): string => {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > MAX ? `${line.slice(0, MAX)}…` : line;
};

export const FILE_WORDS = {
  unknownType: (name: string) => `${name} is none of the files that are read here: .npy, .safetensors, .json and .txt`,
  unreadable: (name: string) => `${name} could not be read`,
  empty: (name: string) => `${name} is empty`,
  tooLarge: (name: string, size: number, most: number) =>
    `${name} has ${bytes.format(size)} bytes; a page reads ${bytes.format(most)} at most`,
  notAccepted: (name: string) => `${name} has nothing that this figure can show`,
  notNumpy: (name: string) => `${name} is not a NumPy file: it does not begin with \\x93NUMPY`,
  version: (name: string, version: string) => `${name} is a NumPy file of the unknown version ${version}`,
  header: (name: string) => `${name} has a header that NumPy does not write`,
  shape: (name: string, sides: string) => `${name} has the shape (${ellipsize(sides)}), which is not a tuple of at most 64 whole numbers`,
  structured: (name: string) => `${name} holds records of several fields, not an array of numbers`,
  dtype: (name: string, type: string) => `${name} holds values of the type ${ellipsize(type)}, not real numbers`,
  truncated: (name: string, there: number, needed: number) => `${name} is cut off: of ${needed} bytes of numbers ${there} are there`,
  tooLong: (name: string, there: number, needed: number) => `${name} has ${there} bytes after its header, but its shape needs ${needed}`,
  notText: (name: string) => `${name} is not a text in UTF-8`,
  noNumbers: (name: string) => `${name} holds no numbers`,
  safetensors: (name: string, why: string) => `${name} is not a safetensors file (${why})`,
  json: (name: string, why: string) => `${name} is not JSON (${why})`,
  tooDeep: (name: string, most: number) => `${name} is nested more than ${most} levels deep, the most that is read here`,
  notMatrix: (array: string, shape: readonly number[]) =>
    `${ellipsize(array)} is ${shape.length === 0 ? 'a single number' : ellipsize(shape.join(' × '))}, not a matrix`,
  notImage: (name: string) => `${name} is not an image that this browser can show`,
  hugeImage: (name: string, width: number, height: number, most: number) =>
    `${name} has ${width} × ${height} pixels; ${bytes.format(most)} pixels are read at most`,
  smallImage: (name: string, width: number, height: number, side: number) =>
    `${name} has ${width} × ${height} pixels; at least ${side} × ${side} are needed`,
  noArray: 'the file holds no array of numbers',
  severalMatrices: (names: readonly string[]) =>
    `the file has several matrices, ${all.format(names.map(ellipsize))}; save the one that is meant as .npy`,
  notFinite: (array: string) => `${ellipsize(array)} has entries that are not finite numbers`,
} as const;
