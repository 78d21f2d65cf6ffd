// The inline syntax of chapters: {{core: …}} and [[…]].
import { BookProblem } from './problem.mjs';

/** @typedef {import('markdown-it/lib/rules_inline/state_inline.mjs').default} StateInline */

/**
 * The end of the {{core: …}} that begins at `from`. Braces inside it may be nested; braces in strings do not count.
 * @param {string} text
 * @param {number} from
 * @returns {number} -1 if it is not closed
 */
export function coreEnd(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"' || letter === "'" || letter === '`') {
      at += 1;
      while (at < text.length && text[at] !== letter) at += text[at] === '\\' ? 2 : 1;
    } else if (letter === '{') depth += 1;
    else if (letter === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

/**
 * Splits a text into its {{core: …}} expressions and the text between them.
 * @param {string} source
 */
export function coreParts(source) {
  /** @type {({ text: string, core?: undefined } | { core: string, text?: undefined })[]} */
  const parts = [];
  let from = 0;
  for (let at = source.indexOf('{{core:'); at >= 0; at = source.indexOf('{{core:', from)) {
    const end = coreEnd(source, at);
    if (end < 0) throw new BookProblem('“{{core:” is not closed by “}}”');
    parts.push({ text: source.slice(from, at) }, { core: source.slice(at + 7, end - 2) });
    from = end;
  }
  return [...parts, { text: source.slice(from) }];
}

/** The inline rule for {{core: at(table({ … }), 2, 1)}}. @param {StateInline} state @param {boolean} silent */
export function inlineCore(state, silent) {
  const { src, pos } = state;
  if (!src.startsWith('{{core:', pos)) return false;
  const end = coreEnd(src, pos);
  if (end < 0) return false;
  if (!silent) {
    const token = state.push('core', '', 0);
    token.content = src.slice(pos + 7, end - 2);
    token.meta = { position: pos };
  }
  state.pos = end;
  return true;
}

/**
 * The inline rule for references: [[term]], [[term|label]], [[#figure]], [[chapter 4]], [[encoding rope]].
 * @param {StateInline} state
 * @param {boolean} silent
 */
export function inlineReference(state, silent) {
  const { src, pos } = state;
  if (!src.startsWith('[[', pos)) return false;
  const [whole, target, label] = /^\[\[([^\]|[]+)(?:\|([^\]]+))?\]\]/.exec(src.slice(pos)) ?? [];
  if (whole === undefined || target === undefined) return false;
  if (!silent) {
    const token = state.push('reference', '', 0);
    token.content = target.trim();
    token.meta = { label: label?.trim(), position: pos };
  }
  state.pos = pos + whole.length;
  return true;
}
