// Writes the tokens of a chapter as HTML, after everything in them is computed.
import { computed } from './chapter-parts.mjs';
import { mathml } from './formula.mjs';
import { readHtml } from './html.mjs';
import { coreData, escaped } from './plain-text.mjs';
import { BookProblem, inPlace } from './problem.mjs';

/** @import { Chapter, Core, Reference, Token } from './chapter-parts.mjs' */
/** @import { Heading } from './chapter-reading.mjs' */

/**
 * The link targets of a page.
 * @typedef {object} Links
 * @property {string | undefined} [lab] the address of the Lab; undefined: figures do not link to it
 * @property {(of: Reference) => string} reference
 */

/**
 * Titles of boxes are h3. Before the first h2 they become level 2, so that no heading level is skipped.
 * @param {string} html
 */
function levelled(html) {
  const page = readHtml(html);
  for (const element of page.elements) {
    if (element.name === 'h2') break;
    if (element.name !== 'h3' || !element.classes.includes('box-title')) continue;
    element.rename('p');
    element.set('role', 'heading');
    element.set('aria-level', '2');
  }
  return page.written();
}

/**
 * Keeps a formula and the punctuation after it on one line. The punctuation is moved out of the next token.
 * @param {string} math
 * @param {Token | undefined} next
 */
function unbroken(math, next) {
  const [punctuation = ''] = next?.type === 'text' ? (/^[.,;:!?)’”…–-]+/.exec(next.content) ?? []) : [];
  if (!next || punctuation === '') return math;
  next.content = next.content.slice(punctuation.length);
  next.meta = { ...next.meta, taken: punctuation };
  return `<span class="unbroken">${math}${escaped(punctuation)}</span>`;
}

/** Undoes the changes of `unbroken`, because a page may be written more than once. @param {Token[]} tokens */
function restore(tokens) {
  for (const { children } of tokens)
    for (const child of children ?? [])
      if (child.meta?.taken) Object.assign(child, { content: child.meta.taken + child.content, meta: null });
}

/**
 * @param {{ md: import('markdown-it').default, tokens: Token[], headings: Heading[] }} text
 * @param {Chapter} parts
 * @param {{ file: string }} source
 * @returns {(links: Links) => string}
 */
export function chapterWriter({ md, tokens }, { collected, ids, claim, numbered }, { file }) {
  const { rules } = md.renderer;
  const named = collected.formulas.flatMap(({ id, place }) => (id === undefined ? [] : [{ id, place }]));
  for (const { id, place } of named) claim(id, place);
  /** @param {string} id */
  const equationNumber = (id) => numbered(named.findIndex((one) => one.id === id) + 1);
  /** @param {Token[]} list @param {number} index */
  const at = (list, index) => computed(list[index]);

  rules.book = (list, index, _options, writing) => at(list, index).meta.write(writing);
  // Comments such as <!-- sin2 --> are marks for tests; they are removed with the space before them.
  /** @param {Token | undefined} token */
  const isMark = (token) => token?.type === 'html_inline' && /^<!--.*-->$/s.test(token.content);
  rules.html_inline = (list, index) => (isMark(list[index]) ? '' : at(list, index).content);
  rules.text = (list, index) => {
    const { content } = at(list, index);
    return md.utils.escapeHtml(isMark(list[index + 1]) ? content.trimEnd() : content);
  };
  rules.core = (list, index) => at(list, index).meta.entry.html();
  rules.formula = (list, index) => {
    const { content, meta } = at(list, index);
    /** @type {Core[]} */
    const cores = meta.values;
    const values = cores.map(({ result }) => computed(result));
    const math = mathml(content, { display: meta.display, values: values.map(({ text }) => text), place: meta.place });
    const carried = values.map((value) => coreData(value, { isHidden: true })).join('');
    if (!meta.display) return unbroken(math, list[index + 1]) + carried;
    const label = meta.id ? `<a class="equation-number" href="#${meta.id}">(${equationNumber(meta.id)})</a>` : '';
    return `<div class="formula"${meta.id ? ` id="${meta.id}"` : ''}><div class="formula-scroll" tabindex="0" role="group" aria-label="Formula">${math}</div>${label}${carried}</div>\n`;
  };
  rules.fence = (list, index) => (at(list, index).info.trim() === 'core' ? '' : `<div class="code">${at(list, index).meta.html}</div>\n`);
  rules.heading_close = (list, index) => {
    const open = computed(list.slice(0, index).findLast(({ type }) => type === 'heading_open'));
    return ` <a class="anchor" href="#${open.meta.id}" aria-label="Link to “${escaped(open.meta.text)}”">#</a></${open.tag}>\n`;
  };
  // An empty corner cell of a table is not a header cell.
  /** @param {Token | undefined} inline */
  const isEmpty = (inline) => (inline?.children ?? []).every(({ type, content }) => type === 'text' && content.trim() === '');
  rules.th_open = (list, index, options, _, self) => (isEmpty(list[index + 1]) ? '<td>' : self.renderToken(list, index, options));
  rules.th_close = (list, index, options, _, self) => (isEmpty(list[index - 1]) ? '</td>' : self.renderToken(list, index, options));
  rules.table_open = () => '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table>';
  rules.table_close = () => '</table></div>';

  /** A reference to a figure or a formula of this chapter. @param {string} id @param {Omit<Reference, 'target'>} reference */
  function ownReference(id, { label, place }) {
    const figure = collected.figures.find((one) => one.id === id);
    const words = figure ? `Figure ${figure.number}` : named.some((one) => one.id === id) ? `(${equationNumber(id)})` : label;
    if (!words || !ids.has(id)) throw new BookProblem(`[[#${id}]]: there is no figure or formula of this name in this chapter`, place);
    return `<a href="#${id}">${escaped(label ?? words)}</a>`;
  }

  return ({ lab, reference }) => {
    for (const figure of collected.figures)
      figure.lab = lab === undefined || figure.labHash === undefined ? undefined : `${lab}#${figure.labHash}`;
    rules.reference = (list, index) => {
      const { target, label, place } = at(list, index).meta;
      return target.startsWith('#') ? ownReference(target.slice(1), { label, place }) : reference({ target, label, place });
    };
    const html = inPlace({ file }, () => md.renderer.render(tokens, md.options, {}));
    restore(tokens);
    return levelled(html);
  };
}
