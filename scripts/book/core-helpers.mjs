// Functions that expressions of chapters can call besides the engine: parts of arrays, formats, and configs of published models.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { BookProblem } from './problem.mjs';

/** @import { Format, Numbers } from './core-values.mjs' */
/** @import { Modules } from './web-modules.mjs' */

/** A value with its format, from the helpers `digits`, `decimals` and `percent`. */
export class Formatted {
  /** @param {unknown} value @param {Format} format */
  constructor(value, format) {
    /** @type {unknown} */
    this.value = value instanceof Formatted ? value.value : value;
    /** @type {Format} */
    this.format = value instanceof Formatted ? { ...value.format, ...format } : format;
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = (value) => typeof value === 'object' && value !== null;

/** @param {unknown} value @returns {value is Float32Array} a typed array */
export const isTyped = (value) => ArrayBuffer.isView(value);

/** @param {unknown} value @returns {Numbers | undefined} undefined for other values */
export function numbersOf(value) {
  if (Array.isArray(value) || isTyped(value)) return { shape: [value.length], data: value };
  if (!isObject(value) || !('shape' in value) || !('data' in value)) return undefined;
  const { shape, data } = value;
  return Array.isArray(shape) && (Array.isArray(data) || isTyped(data)) ? { shape, data } : undefined;
}

/** Makes a tensor from rows of numbers: tensor([[1, 2], [3, 4]]). @param {unknown} rows */
function tensor(rows) {
  /** @type {number[]} */
  const shape = [];
  for (let part = rows; Array.isArray(part); part = part[0]) shape.push(part.length);
  const data = Array.isArray(rows) ? rows.flat(Number.POSITIVE_INFINITY) : [];
  if (data.length !== shape.reduce((size, side) => size * side, 1) || !data.every((one) => typeof one === 'number'))
    throw new BookProblem('core: tensor takes rows of numbers, each of the same length: tensor([[1, 2], [3, 4]])');
  return { shape, data: Float32Array.from(data) };
}

/**
 * An element of an array of numbers, or a part of it if there are fewer indices than axes.
 * @param {unknown} value
 * @param {readonly number[]} indices
 */
function at(value, ...indices) {
  const numbers = numbersOf(value);
  if (!numbers) throw new BookProblem('core: the first argument of “at” is no array of numbers');
  const { shape, data } = numbers;
  const called = `at(…, ${indices.join(', ')})`;
  if (indices.length > shape.length)
    throw new BookProblem(`core: “${called}” has more indices than its array, which is ${shape.join(' × ')}`);
  let offset = 0;
  indices.forEach((index, axis) => {
    const side = shape[axis] ?? 0;
    if (!Number.isInteger(index) || index < 0 || index >= side)
      throw new BookProblem(`core: “${called}” is outside of an array of ${shape.join(' × ')}, counted from 0`);
    offset = offset * side + index;
  });
  const rest = shape.slice(indices.length).reduce((size, side) => size * side, 1);
  const part = Array.from(data.slice(offset * rest, (offset + 1) * rest));
  return rest === 1 ? part[0] : part;
}

/** @param {string} helper @param {unknown} count @param {number} least */
function checkCount(helper, count, least) {
  if (typeof count !== 'number' || !Number.isInteger(count) || count < least || count > 20)
    throw new BookProblem(`core: ${helper}: ${count} is not a whole number from ${least} to 20`);
}

export const HELPERS = {
  at,
  tensor,
  /** @param {unknown} value @param {number} digits */
  digits(value, digits) {
    checkCount('digits', digits, 1);
    return new Formatted(value, { digits });
  },
  /** @param {unknown} value @param {number} decimals */
  decimals(value, decimals) {
    checkCount('decimals', decimals, 0);
    return new Formatted(value, { decimals });
  },
  /** @param {unknown} value */
  percent: (value) => new Formatted(value, { percent: true }),
};

/** Results recorded from published models (recorded-models.mjs). @type {Record<string, object>} */
const RECORDED = JSON.parse(readFileSync(join(root, 'web/book/recorded-models.json'), 'utf8'));

/** @param {string} id */
export const recordedModel = (id) => {
  const found = RECORDED[id];
  if (!found) throw new BookProblem(`core: nothing is recorded of “${id}”; there is ${Object.keys(RECORDED).join(', ')}`);
  return found;
};

/** A function that returns the name and the released config.json of a published model. @param {Modules} modules */
export const publishedModels = ({ MODELS }) => {
  /** @type {Record<string, { name: string, config: object }>} */
  const known = MODELS;
  return (/** @type {string} */ id) => {
    const { name, config } = known[id] ?? {};
    if (!config) throw new BookProblem(`core: there is no published model “${id}”; there is ${Object.keys(known).join(', ')}`);
    return { name, config };
  };
};
