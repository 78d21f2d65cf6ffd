// Formulas: $...$ in a line, $$...$$ as a paragraph; MathML by temml. Values of the core may stand in them.
import temml from 'temml';
import { coreEnd } from './inline.mjs';
import { BookProblem } from './problem.mjs';

/** A formula in parts: TeX, and expressions that it contains. */
function partsOf(source) {
  const parts = [];
  let from = 0;
  for (let at = source.indexOf('{{core:'); at >= 0; at = source.indexOf('{{core:', from)) {
    const end = coreEnd(source, at);
    if (end < 0) throw new BookProblem('“{{core:” in a formula is not closed by “}}”');
    parts.push({ tex: source.slice(from, at) }, { core: source.slice(at + 7, end - 2) });
    from = end;
  }
  return [...parts, { tex: source.slice(from) }];
}

/** The expressions that a formula contains. */
export const expressionsIn = (source) => partsOf(source).flatMap(({ core }) => (core === undefined ? [] : [core]));

/** A value as TeX. */
const asTex = (text) =>
  text
    .replaceAll('−', '-')
    .replace(
      /×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g,
      (_, digits) => `\\times 10^{${[...digits].map((one) => (one === '⁻' ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(one))).join('')}}`,
    )
    .replaceAll(' %', '\\,\\%');

export function mathml(source, { display, values = [], place }) {
  let at = 0;
  const tex = partsOf(source)
    .map((part) => part.tex ?? asTex(values[at++] ?? ''))
    .join('');
  try {
    return temml.renderToString(tex, { displayMode: display, throwOnError: true, annotate: false });
  } catch (thrown) {
    throw new BookProblem(`formula “${source.trim().slice(0, 60)}”: ${String(thrown.message).split('\n')[0]}`, place);
  }
}

/** $...$: not before a digit, so that prices are no formulas; a value inside may contain anything. */
export function inlineFormula(state, silent) {
  const { src, pos } = state;
  if (src[pos] !== '$' || src[pos + 1] === '$' || /\s/.test(src[pos + 1] ?? ' ')) return false;
  let end = pos + 1;
  while (end < src.length && src[end] !== '$') {
    if (src.startsWith('{{core:', end)) end = Math.max(coreEnd(src, end) - 1, end);
    else if (src[end] === '\\') end++;
    end++;
  }
  if (end >= src.length || end === pos + 1 || /\s/.test(src[end - 1]) || /\d/.test(src[end + 1] ?? '')) return false;
  if (!silent) {
    const token = state.push('formula', '', 0);
    token.content = src.slice(pos + 1, end);
    token.meta = { display: false, position: pos };
  }
  state.pos = end + 1;
  return true;
}

/** $$ ... $$ and, behind it, {#name} for one that is numbered. */
export const displayFormula =
  ({ file, before }) =>
  (state, startLine, endLine, silent) => {
    const lineAt = (line) => state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line]);
    if (!lineAt(startLine).startsWith('$$')) return false;
    if (silent) return true;
    const collected = [lineAt(startLine).slice(2)];
    let line = startLine;
    const ends = () => /\$\$\s*(?:\{#([\w-]+)\})?\s*$/.exec(collected.at(-1));
    while (!ends()) {
      line += 1;
      if (line >= endLine) throw new BookProblem('“$$” is not closed by “$$”', { file, line: startLine + before + 1 });
      collected.push(lineAt(line));
    }
    const [, id] = ends() ?? [];
    collected[collected.length - 1] = collected.at(-1).replace(/\$\$\s*(?:\{#[\w-]+\})?\s*$/, '');
    const token = state.push('formula', '', 0);
    token.block = true;
    token.content = collected.join('\n');
    token.meta = { display: true, id };
    token.map = [startLine, line + 1];
    state.line = line + 1;
    return true;
  };
