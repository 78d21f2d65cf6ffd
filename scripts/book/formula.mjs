// Formulas, as MathML by temml: $...$ inline, $$...$$ displayed. They may contain values of the core.
import temml from 'temml';
import { coreEnd, coreParts } from './inline.mjs';
import { BookProblem } from './problem.mjs';

/** @import { Place } from './problem.mjs' */
/** @import { StateInline } from './inline.mjs' */
/** @typedef {import('markdown-it/lib/rules_block/state_block.mjs').default} StateBlock */

/** The end of a formula, and its optional name. */
const END = /\$\$\s*(?:\{#([\w-]+)\})?\s*$/;

/** @param {string} source */
export const expressionsIn = (source) => coreParts(source).flatMap(({ core }) => (core === undefined ? [] : [core]));

/** @param {string} text */
const asTex = (text) =>
  text
    .replaceAll('−', '-')
    .replace(
      /×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g,
      (_, /** @type {string} */ digits) =>
        `\\times 10^{${[...digits].map((one) => (one === '⁻' ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(one))).join('')}}`,
    )
    .replaceAll('%', '\\%');

/**
 * @param {string} source
 * @param {{ display: boolean, values?: string[], place?: Place }} how `values`: the printed values of its expressions
 */
export function mathml(source, { display, values = [], place }) {
  let at = 0;
  const tex = coreParts(source)
    .map(({ text }) => text ?? asTex(values[at++] ?? ''))
    .join('');
  try {
    return temml.renderToString(tex, { displayMode: display, throwOnError: true, annotate: false });
  } catch (thrown) {
    throw new BookProblem(
      `formula “${source.trim().slice(0, 60)}”: ${(thrown instanceof Error ? thrown.message : String(thrown)).split('\n')[0]}`,
      place,
    );
  }
}

/**
 * The inline rule for $...$. It does not match before a digit, as between two prices. A core expression inside may contain $.
 * @param {StateInline} state
 * @param {boolean} silent
 */
export function inlineFormula(state, silent) {
  const { src, pos } = state;
  if (src[pos] !== '$' || src[pos + 1] === '$' || /\s/.test(src[pos + 1] ?? ' ')) return false;
  let end = pos + 1;
  while (end < src.length && src[end] !== '$') {
    if (src.startsWith('{{core:', end)) end = Math.max(coreEnd(src, end) - 1, end);
    else if (src[end] === '\\') end++;
    end++;
  }
  if (end >= src.length || end === pos + 1 || /\s/.test(src[end - 1] ?? '') || /\d/.test(src[end + 1] ?? '')) return false;
  if (!silent) {
    const token = state.push('formula', '', 0);
    token.content = src.slice(pos + 1, end);
    token.meta = { display: false, position: pos };
  }
  state.pos = end + 1;
  return true;
}

/** The text of a line without its indentation. @param {StateBlock} state @param {number} line */
export const textOfLine = ({ src, bMarks, tShift, eMarks }, line) => src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);

/**
 * The block rule for $$ ... $$, followed by {#name} if the formula is numbered.
 * @param {{ file: string, before: number }} text `before`: the number of lines of the file before it
 */
export const displayFormula =
  ({ file, before }) =>
  /** @param {StateBlock} state @param {number} startLine @param {number} endLine @param {boolean} silent */
  (state, startLine, endLine, silent) => {
    if (!textOfLine(state, startLine).startsWith('$$')) return false;
    if (silent) return true;
    const collected = [];
    let line = startLine;
    let last = textOfLine(state, startLine).slice(2);
    while (!END.test(last)) {
      collected.push(last);
      line += 1;
      if (line >= endLine) throw new BookProblem('“$$” is not closed by “$$”', { file, line: startLine + before + 1 });
      last = textOfLine(state, line);
    }
    const [, id] = END.exec(last) ?? [];
    collected.push(last.replace(END, ''));
    const token = state.push('formula', '', 0);
    token.block = true;
    token.content = collected.join('\n');
    token.meta = { display: true, id };
    token.map = [startLine, line + 1];
    state.line = line + 1;
    return true;
  };
