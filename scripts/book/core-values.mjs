// Numbers of the text, from the core: evaluates what expression.mjs has read.
import { parseExpression, printExpression } from './expression.mjs';
import { grouped } from './plain-text.mjs';
import { BookProblem } from './problem.mjs';

/** What the text can ask for besides the methods of the engine, with how many arguments each takes at least. */
const OWN = { figure: 1, embeddings: 2, tensor: 1 };

const isTensor = (value) => typeof value === 'object' && value !== null && Array.isArray(value.shape) && ArrayBuffer.isView(value.data);

/** Rows of numbers as a tensor: [[1, 2], [3, 4]]. */
function tensorOf(rows) {
  const shape = [];
  for (let part = rows; Array.isArray(part); part = part[0]) shape.push(part.length);
  const data = rows.flat(Number.POSITIVE_INFINITY);
  if (data.length !== shape.reduce((size, side) => size * side, 1) || !data.every((one) => typeof one === 'number'))
    throw new BookProblem('core: tensor takes rows of numbers, each of the same length: tensor [[1, 2], [3, 4]]');
  return { shape, data: Float32Array.from(data) };
}

/** @param {any} value @returns {value is Float32Array} or another array of numbers */
const isTyped = (value) => ArrayBuffer.isView(value);

function element(value, indices) {
  if (Array.isArray(value)) value = { shape: [value.length], data: value };
  if (isTyped(value)) value = { shape: [value.length], data: value };
  if (!isTensor(value) && !Array.isArray(value?.data)) throw new BookProblem('core: “at” needs an array of numbers');
  const { shape, data } = value;
  if (indices.length > shape.length)
    throw new BookProblem(`core: “at ${indices.join(',')}” has more indices than its array, which is ${shape.join(' × ')}`);
  let offset = 0;
  indices.forEach((index, axis) => {
    if (!Number.isInteger(index) || index < 0 || index >= shape[axis])
      throw new BookProblem(`core: “at ${indices.join(',')}” is outside of an array of ${shape.join(' × ')}, counted from 0`);
    offset = offset * shape[axis] + index;
  });
  const rest = shape.slice(indices.length).reduce((size, side) => size * side, 1);
  const part = Array.from(data.slice(offset * rest, (offset + 1) * rest));
  return rest === 1 ? part[0] : part;
}

/** Numbers and words of a result; anything else has to be told more exactly. */
function plain(value) {
  if (isTensor(value)) value = Array.from(value.data);
  if (isTyped(value)) value = Array.from(value);
  if (Array.isArray(value) && value.length === 1) [value] = value;
  if (['number', 'string', 'boolean'].includes(typeof value)) return value;
  if (Array.isArray(value) && value.length <= 24 && value.every((one) => typeof one === 'number')) return value;
  const fields = Array.isArray(value) ? `an array of ${value.length}` : `an object with ${Object.keys(value ?? {}).join(', ')}`;
  throw new BookProblem(`core: this is ${fields}; say which part: “.field” or “at row,column”`);
}

/**
 * @param {object} modules what web/book/node.ts exports
 * @param {object} means the engine and what figures compute with
 */
export function coreValues(modules, means) {
  const known = new Map();
  const arity = (name) => OWN[name] ?? (modules.methods.includes(name) ? modules.arity(name) : undefined);

  async function figureOf(given) {
    const { kind: id, ...fields } = given;
    const kind = modules.kinds[id];
    if (!kind) throw new BookProblem(`core: ${modules.WORDS.unknownKind(String(id), Object.keys(modules.kinds))}`);
    const spec = modules.readSpec(kind, fields);
    const numbers = await kind.compute(spec, means);
    const tables = Object.fromEntries(kind.tables(numbers, spec).map(({ name, tensor }) => [name, tensor]));
    return { ...tables, proof: kind.proof(numbers, spec), readout: kind.readout(numbers, spec, {}) };
  }

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
    if ('field' in tree) {
      const whole = await evaluate(tree.of, figures);
      // Steps with names, as of biasSteps: .bucket
      const step = whole?.names?.indexOf?.(tree.field) ?? -1;
      if (step >= 0) return whole.values.data[step];
      if (typeof whole !== 'object' || whole === null || !(tree.field in whole))
        throw new BookProblem(
          `core: there is no “${tree.field}”; there is ${[...Object.keys(whole ?? {}), ...(whole?.names ?? [])].join(', ') || 'nothing'}`,
        );
      return whole[tree.field];
    }
    const args = await Promise.all(tree.args.map((one) => evaluate(one, figures)));
    if (tree.call === 'figure') return figureOf(args[0]);
    if (tree.call === 'tensor') return tensorOf(args[0]);
    if (tree.call === 'embeddings') return modules.embeddingsOf(args[0], args[1]?.width ?? modules.VECTOR_WIDTH, means);
    return means.engine[tree.call](...args);
  }

  const withoutPrefix = (message) => (message.startsWith('core:') ? message : `core: ${message}`);

  return {
    parse: (text, names) => parseExpression(text, { arity, names }),
    /** @returns {Promise<{ value: number | string | boolean | number[], text: string, request: string }>} */
    async value(expression, figures) {
      const request = printExpression(expression);
      const key = `${request}\n${request.includes('#') ? JSON.stringify([...figures]) : ''}`;
      known.set(
        key,
        known.get(key) ??
          (async () => {
            try {
              const whole = await evaluate(expression.tree, figures);
              const value = plain(expression.at ? element(whole, expression.at) : whole);
              return { value, text: printed(value, expression, modules.formatNumber), request };
            } catch (thrown) {
              if (thrown instanceof BookProblem) throw thrown;
              throw new BookProblem(withoutPrefix(thrown instanceof Error ? thrown.message : String(thrown)));
            }
          })(),
      );
      return known.get(key);
    },
  };
}

/** A value as the reader sees it: three significant digits unless the text says otherwise, whole numbers whole. */
export function printed(value, { format, percent }, formatNumber) {
  if (Array.isArray(value)) return value.map((one) => printed(one, { format, percent }, formatNumber)).join(', ');
  if (typeof value !== 'number') return String(value);
  const shown = percent ? value * 100 : value;
  const minus = (text) => (/[1-9]/.test(text) ? text : text.replace('-', '')).replace('-', '−');
  const text =
    format?.decimal !== undefined
      ? minus(grouped(shown.toFixed(format.decimal)))
      : format?.digit === undefined && Number.isInteger(shown)
        ? minus(shown.toLocaleString('en'))
        : grouped(formatNumber(shown, { digits: format?.digit ?? 3 }));
  return percent ? `${text} %` : text;
}
