// Numbers of the text, from the core: evaluates what expression.mjs has read.
import { parseExpression, printExpression } from './expression.mjs';
import { grouped } from './plain-text.mjs';
import { BookProblem } from './problem.mjs';

/** @import { KindContext } from '../../web/figure/contract/kind.ts' */
/** @import { Expression, Format, Tree } from './expression.mjs' */
/** @import { Modules } from './web-modules.mjs' */

/** @typedef {Parameters<Modules['arity']>[0]} Method */
/** @typedef {{ shape: readonly number[], data: readonly unknown[] | Float32Array }} Numbers `data`: another array of numbers, too */
/** @typedef {number | string | boolean | number[]} Value */
/** @typedef {{ value: Value, text: string, request: string }} CoreResult `text`: the value as it is printed */
/** @typedef {{ kind: string, [field: string]: unknown }} FigureSpec */
/** @typedef {ReturnType<typeof coreValues>} CoreValues */

/**
 * What the text can ask for besides the methods of the engine, with how many arguments each takes at least.
 * @type {Record<string, number>}
 */
const OWN = { figure: 1, embeddings: 2, tensor: 1 };

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null;

/** @param {unknown} value @returns {value is Float32Array} or another array of numbers */
const isTyped = (value) => ArrayBuffer.isView(value);

/** @param {unknown} value @returns {Numbers | undefined} undefined: it is no array of numbers */
function numbersOf(value) {
  if (Array.isArray(value) || isTyped(value)) return { shape: [value.length], data: value };
  if (!isObject(value)) return undefined;
  const { shape, data } = value;
  return Array.isArray(shape) && (Array.isArray(data) || isTyped(data)) ? { shape, data } : undefined;
}

/** Rows of numbers as a tensor: [[1, 2], [3, 4]]. @param {unknown} rows */
function tensorOf(rows) {
  /** @type {number[]} */
  const shape = [];
  for (let part = rows; Array.isArray(part); part = part[0]) shape.push(part.length);
  const data = Array.isArray(rows) ? rows.flat(Number.POSITIVE_INFINITY) : [];
  if (data.length !== shape.reduce((size, side) => size * side, 1) || !data.every((one) => typeof one === 'number'))
    throw new BookProblem('core: tensor takes rows of numbers, each of the same length: tensor [[1, 2], [3, 4]]');
  return { shape, data: Float32Array.from(data) };
}

/** @param {unknown} value @param {readonly number[]} indices */
function element(value, indices) {
  const numbers = numbersOf(value);
  if (!numbers) throw new BookProblem('core: “at” needs an array of numbers');
  const { shape, data } = numbers;
  if (indices.length > shape.length)
    throw new BookProblem(`core: “at ${indices.join(',')}” has more indices than its array, which is ${shape.join(' × ')}`);
  let offset = 0;
  indices.forEach((index, axis) => {
    const side = shape[axis] ?? 0;
    if (!Number.isInteger(index) || index < 0 || index >= side)
      throw new BookProblem(`core: “at ${indices.join(',')}” is outside of an array of ${shape.join(' × ')}, counted from 0`);
    offset = offset * side + index;
  });
  const rest = shape.slice(indices.length).reduce((size, side) => size * side, 1);
  const part = Array.from(data.slice(offset * rest, (offset + 1) * rest));
  return rest === 1 ? part[0] : part;
}

/** Numbers and words of a result; anything else has to be told more exactly. @param {unknown} whole @returns {Value} */
function plain(whole) {
  const numbers = numbersOf(whole);
  const list = numbers && Array.from(numbers.data);
  const value = list?.length === 1 ? list[0] : (list ?? whole);
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.length <= 24 && value.every((one) => typeof one === 'number')) return value;
  const fields = Array.isArray(value) ? `an array of ${value.length}` : `an object with ${Object.keys(value ?? {}).join(', ')}`;
  throw new BookProblem(`core: this is ${fields}; say which part: “.field” or “at row,column”`);
}

/**
 * A field of a value, or a step that has this name, as those of biasSteps: .bucket
 * @param {unknown} whole
 * @param {string} field
 */
function fieldOf(whole, field) {
  const names = isObject(whole) && Array.isArray(whole.names) ? whole.names : [];
  const step = names.indexOf(field);
  if (step >= 0 && isObject(whole)) return numbersOf(whole.values)?.data[step];
  if (!isObject(whole) || !(field in whole))
    throw new BookProblem(`core: there is no “${field}”; there is ${[...Object.keys(whole ?? {}), ...names].join(', ') || 'nothing'}`);
  return whole[field];
}

/**
 * @param {Modules} modules
 * @param {KindContext} means the engine and what figures compute with
 */
export function coreValues(modules, means) {
  /** @type {Map<string, Promise<CoreResult>>} */
  const known = new Map();
  /** @param {string} name @returns {name is Method} */
  const isMethod = (name) => modules.methods.some((one) => one === name);
  /** @param {string} name */
  const arity = (name) => OWN[name] ?? (isMethod(name) ? modules.arity(name) : undefined);

  /** @param {unknown} given */
  async function figureOf(given) {
    const { kind: id, ...fields } = isObject(given) ? given : {};
    const kind = modules.kinds[String(id)];
    if (!kind) throw new BookProblem(`core: ${modules.WORDS.unknownKind(String(id), Object.keys(modules.kinds))}`);
    const spec = modules.readSpec(kind, fields);
    const numbers = await kind.compute(spec, means);
    const tables = Object.fromEntries(kind.tables(numbers, spec).map(({ name, tensor }) => [name, tensor]));
    return { ...tables, proof: kind.proof(numbers, spec), readout: kind.readout(numbers, spec, {}) };
  }

  /** @param {string} name @param {unknown[]} args */
  async function called(name, args) {
    const [first, second] = args;
    if (name === 'figure') return figureOf(first);
    if (name === 'tensor') return tensorOf(first);
    if (name === 'embeddings') {
      const width = isObject(second) ? second.width : undefined;
      return modules.embeddingsOf(String(first), width === undefined ? modules.VECTOR_WIDTH : Number(width), means);
    }
    const method = Object.entries(means.engine).find(([key]) => key === name)?.[1];
    if (typeof method !== 'function') throw new BookProblem(`core: ${name} cannot be called here`);
    return Reflect.apply(method, means.engine, args);
  }

  /** @param {Tree} tree @param {ReadonlyMap<string, FigureSpec>} figures @returns {Promise<unknown>} */
  async function evaluate(tree, figures) {
    if ('literal' in tree) return tree.literal;
    if ('list' in tree) return Promise.all(tree.list.map((one) => evaluate(one, figures)));
    if ('object' in tree)
      return Object.fromEntries(await Promise.all(tree.object.map(async ([key, one]) => [key, await evaluate(one, figures)])));
    if ('figure' in tree) {
      const given = figures.get(tree.figure);
      if (!given) throw new BookProblem(`core: there is no figure #${tree.figure} in this chapter`);
      return figureOf(given);
    }
    if ('field' in tree) return fieldOf(await evaluate(tree.of, figures), tree.field);
    return called(tree.call, await Promise.all(tree.args.map((one) => evaluate(one, figures))));
  }

  /** @param {string} message */
  const withPrefix = (message) => (message.startsWith('core:') ? message : `core: ${message}`);

  /** @param {Expression} expression @param {ReadonlyMap<string, FigureSpec>} figures @param {string} request */
  async function computed(expression, figures, request) {
    try {
      const whole = await evaluate(expression.tree, figures);
      const value = plain(expression.at ? element(whole, expression.at) : whole);
      return { value, text: printed(value, expression, modules.formatNumber), request };
    } catch (thrown) {
      if (thrown instanceof BookProblem) throw thrown;
      throw new BookProblem(withPrefix(thrown instanceof Error ? thrown.message : String(thrown)));
    }
  }

  return {
    /** @param {string} text @param {ReadonlyMap<string, Tree>} names */
    parse: (text, names) => parseExpression(text, { arity, names }),
    /** @param {Expression} expression @param {ReadonlyMap<string, FigureSpec>} figures of the chapter, by their ids */
    value(expression, figures) {
      const request = printExpression(expression);
      const key = `${request}\n${request.includes('#') ? JSON.stringify([...figures]) : ''}`;
      const result = known.get(key) ?? computed(expression, figures, request);
      known.set(key, result);
      return result;
    },
  };
}

/**
 * A value as the reader sees it: three significant digits unless the text says otherwise, whole numbers whole.
 * @param {Value} value
 * @param {{ format?: Format | undefined, percent?: boolean }} how
 * @param {Modules['formatNumber']} formatNumber
 * @returns {string}
 */
export function printed(value, { format, percent = false }, formatNumber) {
  if (Array.isArray(value)) return value.map((one) => printed(one, { format, percent }, formatNumber)).join(', ');
  if (typeof value !== 'number') return String(value);
  const shown = percent ? value * 100 : value;
  /** @param {string} text */
  const minus = (text) => (/[1-9]/.test(text) ? text : text.replace('-', '')).replace('-', '−');
  const text =
    format?.decimal !== undefined
      ? minus(grouped(shown.toFixed(format.decimal)))
      : format?.digit === undefined && Number.isInteger(shown)
        ? minus(shown.toLocaleString('en'))
        : grouped(formatNumber(shown, { digits: format?.digit ?? 3 }));
  return percent ? `${text} %` : text;
}
