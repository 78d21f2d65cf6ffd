// What may stand in a line of text: {{core: ...}} and [[...]].

/** @typedef {import('markdown-it/lib/rules_inline/state_inline.mjs').default} StateInline */

/**
 * The end of a value that begins at `from`: braces inside it close first. -1: it has none.
 * @param {string} text
 * @param {number} from
 */
export function coreEnd(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"' || letter === "'") {
      at += 1;
      while (at < text.length && text[at] !== letter) at += text[at] === '\\' ? 2 : 1;
    } else if (letter === '{') depth += 1;
    else if (letter === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

/** {{core: table {...} at 2,1}} @param {StateInline} state @param {boolean} silent */
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
 * [[term]], [[term|as it reads here]], [[#figure]], [[chapter 4]], [[encoding rope]]
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
