// Reads what the text asks the core for: 'table {encoding: "sinusoidal", length: 4, width: 4} at 2,1 to 4 digits'.
import { BookProblem } from './problem.mjs';

/**
 * A request: a value, a figure of the chapter, an object, a list, a field of another request, or a call of a method.
 * @typedef {{ literal: string | number | boolean } | { figure: string } | { object: [key: string, value: Tree][] } | { list: Tree[] }
 *   | { of: Tree, field: string } | { call: string, args: Tree[] }} Tree
 */
/** @typedef {{ [Unit in 'digit' | 'decimal']?: number }} Format how many digits or decimals a number is printed with */
/**
 * @typedef {object} Expression
 * @property {Tree} tree
 * @property {number[] | undefined} at indices into an array
 * @property {Format | undefined} format
 * @property {boolean} [percent]
 */
/** @typedef {{ kind: string, value: string }} Token `kind`: string, number, name, id, or a sign itself */

const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_$][\w$]*)|(#[\w-]+)|([{}[\](),:.]))/y;

/** @param {string} text */
function tokensOf(text) {
  /** @type {Token[]} */
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new BookProblem(`core: “${text.slice(from).trim().slice(0, 40)}” cannot be read`);
    const [, string, number, name, id, sign] = found;
    if (string !== undefined)
      tokens.push({ kind: 'string', value: string.startsWith('"') ? JSON.parse(string) : string.slice(1, -1).replaceAll(/\\(.)/g, '$1') });
    else if (number !== undefined) tokens.push({ kind: 'number', value: number });
    else if (name !== undefined) tokens.push({ kind: 'name', value: name });
    else if (id !== undefined) tokens.push({ kind: 'id', value: id.slice(1) });
    else if (sign !== undefined) tokens.push({ kind: sign, value: sign });
  }
  return tokens;
}

const CONSTANTS = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * The syntax tree of a request.
 * @param {string} text
 * @param {{ arity: (method: string) => number | undefined, names: ReadonlyMap<string, Tree> }} known how many arguments a method takes, and
 *   what a ```core block of the chapter has named
 * @returns {Expression}
 */
export function parseExpression(text, { arity, names }) {
  const tokens = tokensOf(text);
  let at = 0;
  const next = () => tokens[at];
  /** @param {string} kind */
  const is = (kind) => next()?.kind === kind;
  /** @param {string} word */
  const isWord = (word) => is('name') && next()?.value === word;
  const shown = () => (next() ? `“${next()?.value}”` : 'the end');
  /** @param {string} kind */
  const take = (kind) => {
    const token = next();
    if (token?.kind !== kind)
      throw new BookProblem(
        `core: after “${tokens
          .slice(Math.max(0, at - 3), at)
          .map(({ value }) => value)
          .join(' ')}” comes ${shown()} where ${kind === 'name' ? 'a name' : kind === 'number' ? 'a number' : `“${kind}”`} is expected`,
      );
    at++;
    return token.value;
  };
  /**
   * @template Item
   * @param {string} end
   * @param {() => Item} item
   */
  const listed = (end, item) => {
    /** @type {Item[]} */
    const items = [];
    while (!is(end)) {
      items.push(item());
      if (!is(end)) take(',');
    }
    take(end);
    return items;
  };
  /** @returns {[key: string, value: Tree]} */
  const entry = () => {
    const key = is('string') ? take('string') : take('name');
    take(':');
    return [key, value()];
  };
  /** @returns {Tree} */
  function operand() {
    if (is('string')) return { literal: take('string') };
    if (is('number')) return { literal: Number(take('number')) };
    if (is('id')) return { figure: take('id') };
    if (is('{')) {
      at++;
      return { object: listed('}', entry) };
    }
    if (is('[')) {
      at++;
      return { list: listed(']', value) };
    }
    if (is('(')) {
      at++;
      const inner = value();
      take(')');
      return inner;
    }
    const name = take('name');
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return { literal: constant };
    const named = names.get(name);
    if (named) return named;
    const count = arity(name);
    if (count === undefined) throw new BookProblem(`core: “${name}” is no method of the engine and no name of a \`\`\`core block above`);
    /** @type {Tree[]} */
    const args = [];
    // The last argument, the options of a method whose first is a tensor, may be absent.
    while (args.length < count && (args.length === 0 || is('{') || is('(') || is('name')) && !isWord('at') && !isWord('to'))
      // A field behind braces or brackets is one of the answer: figure {…}.readout.
      args.push(is('{') || is('[') ? operand() : value());
    return { call: name, args };
  }
  /** @returns {Tree} */
  function value() {
    let found = operand();
    while (is('.')) {
      at++;
      found = { of: found, field: take('name') };
    }
    return found;
  }
  const tree = value();
  /** @type {Expression} */
  const result = { tree, at: undefined, format: undefined };
  if (isWord('at')) {
    at++;
    result.at = [Number(take('number'))];
    while (is(',')) {
      at++;
      result.at.push(Number(take('number')));
    }
  }
  if (isWord('to')) {
    at++;
    const count = Number(take('number'));
    const unit = take('name').replace(/s$/, '');
    if (unit !== 'digit' && unit !== 'decimal') throw new BookProblem(`core: “to ${count} ${unit}” is neither digits nor decimals`);
    result.format = { [unit]: count };
  }
  if (isWord('percent')) {
    at++;
    result.percent = true;
  }
  if (next()) throw new BookProblem(`core: ${shown()} is left over`);
  return result;
}

/**
 * A tree as text that gives the same tree without any names: what a value carries in the page.
 * @param {Tree} tree
 * @returns {string}
 */
export function printTree(tree) {
  if ('literal' in tree) return JSON.stringify(tree.literal);
  if ('figure' in tree) return `#${tree.figure}`;
  if ('object' in tree)
    return `{${tree.object.map(([key, value]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}: ${printTree(value)}`).join(', ')}}`;
  if ('list' in tree) return `[${tree.list.map(printTree).join(', ')}]`;
  if ('field' in tree) return `${'call' in tree.of ? `(${printTree(tree.of)})` : printTree(tree.of)}.${tree.field}`;
  return [tree.call, ...tree.args.map((one) => ('call' in one || 'field' in one ? `(${printTree(one)})` : printTree(one)))].join(' ');
}

/** @param {Expression} expression */
export function printExpression({ tree, at, format, percent }) {
  const places = at ? ` at ${at.join(',')}` : '';
  const [[unit, count] = []] = Object.entries(format ?? {});
  return `${printTree(tree)}${places}${unit ? ` to ${count} ${unit}s` : ''}${percent ? ' percent' : ''}`;
}
