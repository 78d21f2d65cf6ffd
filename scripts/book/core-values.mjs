// Values in the text from the core: `{{core: digits(at(table({ … }), 2, 1), 4)}}` is a JavaScript expression, evaluated when the book is built.
import { Formatted, HELPERS, isObject, numbersOf, publishedModels, recordedModel } from './core-helpers.mjs';
import { grouped } from './plain-text.mjs';
import { BookProblem, computedFor } from './problem.mjs';

/** @import { KindContext } from '../../web/figure/contract/kind.ts' */
/** @import { Phasor } from '../../web/engine/index.ts' */
/** @import { Place } from './problem.mjs' */
/** @import { Modules } from './web-modules.mjs' */

/** @typedef {{ digits?: number, decimals?: number, percent?: boolean }} Format */
/** @typedef {{ shape: readonly number[], data: readonly unknown[] | Float32Array }} Numbers `data` may be any typed array */
/** @typedef {number | string | boolean | number[]} Value */
/** @typedef {{ value: Value, text: string, source: string }} CoreResult `text`: the value as it is printed; `source`: the expression */
/** @typedef {{ name: string, source: string, place: Place }} Constant `const name = source;` of a ```core block */
/** @typedef {{ kind: string, [field: string]: unknown }} FigureSpec */
/** @typedef {ReturnType<typeof coreValues>} CoreValues */

/**
 * A result that throws when an absent field is read. The steps of explainBias are fields: `explainBias({ … }).bucket`.
 * @param {unknown} result
 * @returns {unknown}
 */
function strict(result) {
  if (!isObject(result) || numbersOf(result)) return result;
  const { names, values } = result;
  const steps = Array.isArray(names) ? names.map((name, index) => [name, numbersOf(values)?.data[index]]) : [];
  return new Proxy(
    { ...Object.fromEntries(steps), ...result },
    {
      get(fields, name) {
        // `await` reads `then`.
        if (typeof name === 'symbol' || name === 'then') return undefined;
        if (!(name in fields))
          throw new BookProblem(`core: there is no “${name}”; there is ${Object.keys(fields).join(', ') || 'nothing'}`);
        return strict(fields[name]);
      },
    },
  );
}

/** Converts a result to a printable value; throws if a part of it must be selected first. @param {unknown} whole @returns {Value} */
function plain(whole) {
  const numbers = numbersOf(whole);
  const list = numbers && Array.from(numbers.data);
  const value = list?.length === 1 ? list[0] : (list ?? whole);
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.length <= 24 && value.every((one) => typeof one === 'number')) return value;
  const found = Array.isArray(value)
    ? `an array of ${value.length}`
    : isObject(value)
      ? `an object with ${Object.keys(value).join(', ')}`
      : typeof value;
  throw new BookProblem(`core: this is ${found}; select a part of a result by “.field” or “at(…, row, column)”`);
}

/** @type {FunctionConstructor} */
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

/**
 * Compiles an expression to a function of its names. The brackets make a text that is not an expression a syntax error.
 * @param {string} source
 * @param {string[]} [names]
 * @returns {(...values: unknown[]) => Promise<unknown[]>} the values of the expressions; a valid text has one
 */
function compiled(source, names = []) {
  try {
    return /** @type {never} */ (new AsyncFunction(...names, `'use strict'; return [${source}\n];`));
  } catch (thrown) {
    throw coreProblem(thrown, `“${source.trim().slice(0, 60)}”: `);
  }
}

/** @param {unknown} thrown @param {string} [where] */
function coreProblem(thrown, where = '') {
  if (thrown instanceof BookProblem) return thrown;
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const [, unknown] = /^(\S+) is not defined$/.exec(message) ?? [];
  if (name === 'ReferenceError' && unknown)
    return new BookProblem(`core: “${unknown}” is no method of the engine, no helper and no constant of a \`\`\`core block above`);
  return new BookProblem(`core: ${where}${message.replace(/^core: /, '')}`);
}

/**
 * @param {Modules} modules
 * @param {Phasor} phasor
 * @param {KindContext} means the context of figures
 */
export function coreValues(modules, phasor, means) {
  /** The results of figures, by their specs as JSON. @type {Map<string, Promise<unknown>>} */
  const known = new Map();

  /** @param {unknown} provided */
  async function computedFigure(provided) {
    const { kind: id, ...fields } = isObject(provided) ? provided : {};
    const kind = modules.kinds[String(id)];
    if (!kind) throw new BookProblem(`core: ${modules.STRINGS.unknownKind(String(id), Object.keys(modules.kinds))}`);
    const spec = modules.readSpec(kind, fields);
    const numbers = await kind.compute(spec, means);
    const tables = Object.fromEntries(kind.tables(numbers, spec).map(({ name, tensor }) => [name, tensor]));
    return strict({ ...tables, proof: kind.proof(numbers, spec), readout: kind.readout(numbers, spec, {}) });
  }

  /** The tables, proof and readout of a figure. @param {unknown} spec */
  function figure(spec) {
    const key = JSON.stringify(spec);
    const numbers = known.get(key) ?? computedFigure(spec);
    known.set(key, numbers);
    return numbers;
  }

  const methods = Object.fromEntries(
    Object.entries(modules.listMethods(phasor)).map(([name, method]) => [
      name,
      (/** @type {unknown[]} */ ...args) => strict(method(...args)),
    ]),
  );
  /** @param {unknown} text @param {number} [width] */
  const embeddings = (text, width = modules.VECTOR_WIDTH) => modules.computeEmbeddings(String(text), width, means);

  return {
    /** Throws if `source` is not an expression. @param {string} source @param {string} [name] of the constant that it defines */
    check(source, name) {
      compiled(source, name === undefined ? [] : [name]);
      const [, promised] = /(?<!await )\b(figure|embeddings)\(/.exec(source) ?? [];
      if (promised) throw new BookProblem(`core: write “await ${promised}(…)”`);
    },
    /**
     * Evaluates the constants of a chapter, and returns a function that evaluates an expression with them.
     * @param {readonly Constant[]} constants
     * @param {ReadonlyMap<string, FigureSpec>} specs of the figures of the chapter, by their ids
     * @returns {Promise<(source: string) => Promise<CoreResult>>}
     */
    async evaluator(constants, specs) {
      /** @type {Record<string, unknown>} */
      const figures = {};
      /** @type {Record<string, unknown>} */
      const scope = {
        ...methods,
        ...HELPERS,
        publishedModel: publishedModels(modules),
        recordedModel: (/** @type {string} */ id) => strict(recordedModel(id)),
        figure,
        embeddings,
        figures,
      };
      /** @param {string} source */
      async function evaluate(source) {
        for (const [, name = '', quoted = name] of source.matchAll(/\bfigures(?:\.(\w+)|\['([\w-]+)'\])/g)) {
          const spec = specs.get(quoted);
          if (!spec) throw new BookProblem(`core: there is no figure #${quoted} in this chapter`);
          figures[quoted] = await figure(spec);
        }
        const values = await compiled(source, Object.keys(scope))(...Object.values(scope));
        if (values.length !== 1) throw new BookProblem(`core: “${source}” is not one expression`);
        return values[0];
      }
      /** @param {string} source */
      const evaluated = (source) =>
        evaluate(source).catch((thrown) => {
          throw coreProblem(thrown);
        });
      for (const { name, source, place } of constants) scope[name] = await computedFor(place, () => evaluated(source));
      return async (source) => {
        const { value: whole, format } = new Formatted(await evaluated(source), {});
        const value = plain(whole);
        return { value, text: printed(value, format, modules.formatNumber), source };
      };
    },
  };
}

/**
 * The printed text of a value. By default integers are printed in full and other numbers with three significant digits.
 * @param {Value} value
 * @param {Format} format
 * @param {Modules['formatNumber']} formatNumber
 * @returns {string}
 */
export function printed(value, format, formatNumber) {
  if (Array.isArray(value)) return value.map((one) => printed(one, format, formatNumber)).join(', ');
  if (typeof value !== 'number') return String(value);
  const { digits, decimals, percent } = format;
  const shown = percent ? value * 100 : value;
  /** @param {string} text */
  const minus = (text) => (/[1-9]/.test(text) ? text : text.replace('-', '')).replace('-', '−');
  const text =
    decimals !== undefined
      ? minus(grouped(shown.toFixed(decimals)))
      : digits === undefined && Number.isInteger(shown)
        ? minus(shown.toLocaleString('en'))
        : grouped(formatNumber(shown, { digits: digits ?? 3 }));
  return percent ? `${text}%` : text;
}
