// Reads what the text asks the core for: 'table {encoding: "sinusoidal", length: 4, width: 4} at 2,1 to 4 digits'.
import { BookProblem } from './problem.mjs';

const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_$][\w$]*)|(#[\w-]+)|([{}[\](),:.]))/y;

function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new BookProblem(`core: “${text.slice(from).trim().slice(0, 40)}” cannot be read`);
    const [, string, number, name, id, sign] = found;
    if (string !== undefined)
      tokens.push({ kind: 'string', value: string.startsWith('"') ? JSON.parse(string) : string.slice(1, -1).replaceAll(/\\(.)/g, '$1') });
    else if (number !== undefined) tokens.push({ kind: 'number', value: Number(number) });
    else if (name !== undefined) tokens.push({ kind: 'name', value: name });
    else if (id !== undefined) tokens.push({ kind: 'id', value: id.slice(1) });
    else tokens.push({ kind: sign, value: sign });
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
 * @param {{ arity: (method: string) => number | undefined, names: ReadonlyMap<string, object> }} known how many arguments a method takes, and
 *   what a ```core block of the chapter has named
 */
export function parseExpression(text, { arity, names }) {
  const tokens = tokensOf(text);
  let at = 0;
  const next = () => tokens[at];
  const is = (kind) => next()?.kind === kind;
  const isWord = (word) => is('name') && next().value === word;
  const shown = () => (next() ? `“${next().value}”` : 'the end');
  const take = (kind) => {
    if (!is(kind))
      throw new BookProblem(
        `core: after “${tokens
          .slice(Math.max(0, at - 3), at)
          .map(({ value }) => value)
          .join(' ')}” comes ${shown()} where ${kind === 'name' ? 'a name' : kind === 'number' ? 'a number' : `“${kind}”`} is expected`,
      );
    return tokens[at++].value;
  };
  const listed = (end, item) => {
    const items = [];
    while (!is(end)) {
      items.push(item());
      if (!is(end)) take(',');
    }
    take(end);
    return items;
  };
  const entry = () => {
    const key = is('string') ? take('string') : take('name');
    take(':');
    return [key, value()];
  };
  function operand() {
    if (is('string') || is('number')) return { literal: tokens[at++].value };
    if (is('id')) return { figure: tokens[at++].value };
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
    if (CONSTANTS.has(name)) return { literal: CONSTANTS.get(name) };
    if (names.has(name)) return names.get(name);
    const count = arity(name);
    if (count === undefined) throw new BookProblem(`core: “${name}” is no method of the engine and no name of a \`\`\`core block above`);
    const args = [];
    // The last argument, the options of a method whose first is a tensor, may be absent.
    while (args.length < count && (args.length === 0 || is('{') || is('(') || is('name')) && !isWord('at') && !isWord('to'))
      // A field behind braces or brackets is one of the answer: figure {…}.readout.
      args.push(is('{') || is('[') ? operand() : value());
    return { call: name, args };
  }
  function value() {
    let found = operand();
    while (is('.')) {
      at++;
      found = { of: found, field: take('name') };
    }
    return found;
  }
  const tree = value();
  /** @type {{ tree: object, at?: number[], format?: Record<string, number>, percent?: boolean }} */
  const result = { tree, at: undefined, format: undefined };
  if (isWord('at')) {
    at++;
    result.at = [take('number')];
    while (is(',')) {
      at++;
      result.at.push(take('number'));
    }
  }
  if (isWord('to')) {
    at++;
    const count = take('number');
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

/** A tree as text that gives the same tree without any names: what a value carries in the page. */
export function printTree(tree) {
  if ('literal' in tree) return JSON.stringify(tree.literal);
  if ('figure' in tree) return `#${tree.figure}`;
  if ('object' in tree)
    return `{${tree.object.map(([key, value]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}: ${printTree(value)}`).join(', ')}}`;
  if ('list' in tree) return `[${tree.list.map(printTree).join(', ')}]`;
  if ('field' in tree) return `${'call' in tree.of ? `(${printTree(tree.of)})` : printTree(tree.of)}.${tree.field}`;
  return [tree.call, ...tree.args.map((one) => ('call' in one || 'field' in one ? `(${printTree(one)})` : printTree(one)))].join(' ');
}

export function printExpression({ tree, at, format, percent }) {
  const places = at ? ` at ${at.join(',')}` : '';
  const [[unit, count] = []] = Object.entries(format ?? {});
  return `${printTree(tree)}${places}${unit ? ` to ${count} ${unit}s` : ''}${percent ? ' percent' : ''}`;
}
