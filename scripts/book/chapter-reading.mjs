// Parses the Markdown of a chapter into tokens of markdown-it and the parts of the chapter.
import markdownIt from 'markdown-it';
import { blockRule } from './blocks.mjs';
import { chapterBlocks } from './chapter-blocks.mjs';
import { displayFormula, expressionsIn, inlineFormula } from './formula.mjs';
import { inlineCore, inlineReference } from './inline.mjs';
import { plainText } from './plain-text.mjs';
import { BookProblem, inPlace } from './problem.mjs';

/** @import { Chapter, Token } from './chapter-parts.mjs' */
/** @import { StateBlock } from './formula.mjs' */

/** @typedef {{ level: number, text: string, id: string, line: number }} Heading */

const WITHIN = { alt: ['paragraph', 'blockquote', 'list'] };

/** @param {Chapter} parts @param {{ file: string, before: number }} location */
function markdown(parts, location) {
  const md = markdownIt({ html: true, typographer: true, quotes: '“”‘’' });
  const formula = displayFormula(location);
  // Formulas are collected while blocks are parsed, so that a `symbols` block finds the formula above it.
  /** @param {StateBlock} state @param {number} startLine @param {number} endLine @param {boolean} silent */
  const collecting = (state, startLine, endLine, silent) => {
    const count = state.tokens.length;
    if (!formula(state, startLine, endLine, silent)) return false;
    if (silent) return true;
    const { content = '', meta } = state.tokens[count] ?? {};
    const where = { file: location.file, line: startLine + location.before + 1 };
    parts.collected.formulas.push({ source: content, id: meta.id, symbols: [], place: where });
    return true;
  };
  md.block.ruler.before('fence', 'book', blockRule(chapterBlocks(parts), location), WITHIN);
  md.block.ruler.before('fence', 'formula', collecting, WITHIN);
  md.inline.ruler.before('escape', 'core', inlineCore);
  md.inline.ruler.before('escape', 'formula', inlineFormula);
  md.inline.ruler.before('link', 'reference', inlineReference);
  md.core.ruler.disable('replacements');
  return md;
}

/**
 * Reads all constants before the values that use them.
 * @param {string} body
 * @param {Chapter} parts
 * @param {{ file: string, before: number }} place
 */
function readConstants(body, parts, { file, before }) {
  for (const { 1: content = '', index } of body.matchAll(/^```core\n([\s\S]*?)^```$/gm))
    parts.constants(content, { file, first: body.slice(0, index).split('\n').length + 1 + before });
}

/**
 * Gives each heading an id.
 * @param {Token[]} tokens
 * @param {Chapter} parts
 * @param {{ file: string, before: number }} place
 * @returns the headings of the text, without the titles of blocks
 */
function readHeadings(tokens, parts, { file, before }) {
  /** @type {Heading[]} */
  const found = [];
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return;
    const level = Number(token.tag.slice(1));
    const line = token.map?.[0] ?? 0;
    if (level === 1) {
      const where = { file, line: line + 1 + before };
      throw new BookProblem('“#” is the title, which is in the head of the chapter; sections begin with “##”', where);
    }
    const text = plainText(tokens[index + 1]?.content ?? '');
    const id = parts.unique(text);
    token.attrSet('id', id);
    token.attrSet('tabindex', '-1');
    token.meta = { text, id };
    found.push({ level, text, id, line });
  });
  return found;
}

/**
 * @param {{ body: string, line: number, file: string }} source `line`: the number of lines before the body
 * @param {Chapter} parts
 */
export function readText({ body, line: before, file }, parts) {
  const place = { file, before };
  const { collected } = parts;
  const md = markdown(parts, place);
  readConstants(body, parts, place);
  const tokens = inPlace({ file }, () => md.parse(body, {}));
  /** @param {Token} parent @param {number} [position] in the text of `parent` */
  const placeOf = (parent, position = 0) => ({
    file,
    line: (parent.map?.[0] ?? 0) + parent.content.slice(0, position).split('\n').length + before,
  });
  /** @param {Token} token @param {Token} parent */
  const visit = (token, parent) => {
    const { type, meta, content } = token;
    if (type === 'core') meta.entry = parts.core(content, placeOf(parent, meta.position));
    else if (type === 'reference')
      collected.references.push(Object.assign(meta, { target: content, place: placeOf(parent, meta.position) }));
    else if (type === 'formula') {
      const where = token.block ? placeOf(token) : placeOf(parent, meta.position);
      meta.place = where;
      collected.mathematics.push({ source: content, place: where });
      meta.values = inPlace(where, () => expressionsIn(content)).map((text) => parts.core(text, where));
    } else if (type === 'fence' && token.info.trim() !== 'core') collected.codes.push({ token });
    else if (type === 'link_open') collected.links.push({ href: token.attrGet('href'), place: placeOf(parent) });
    for (const child of token.children ?? []) visit(child, type === 'inline' ? token : parent);
  };
  for (const token of tokens) visit(token, token);
  return { md, tokens, headings: readHeadings(tokens, parts, place) };
}
