// Writes each block of a chapter as HTML. A block pushes tokens; HTML that depends on values is written after they are computed.
import { attributesOf } from './blocks.mjs';
import { computed } from './chapter-parts.mjs';
import { escaped } from './plain-text.mjs';
import { predict } from './predict.mjs';
import { BookProblem } from './problem.mjs';

/** @import { Block } from './blocks.mjs' */
/** @import { Chapter } from './chapter-parts.mjs' */
/** @import { Still } from './figures.mjs' */
/** @import { Place } from './problem.mjs' */

/** Attributes of the element `<phasor-figure>`, as opposed to fields of the figure. */
const OF_ELEMENT = ['id', 'group', 'lock', 'controls', 'compact', 'max-height'];

/**
 * Parses the width in CSS px of a figure that is narrower than others, so that its still has the layout of the live picture.
 * @param {string | undefined} text
 * @param {Place} location
 */
function roomOf(text, location) {
  if (text === undefined) return undefined;
  const room = Number(text);
  if (!Number.isInteger(room) || room < 272 || room > 960)
    throw new BookProblem(`figure: room=${text} is not a whole number from 272 to 960`, location);
  return room;
}

/** A titled box; its title is an h3 heading with an address. @param {string} name @param {string} title */
const box = (name, title) =>
  /** @param {Block} block @param {Chapter} chapter */
  function block({ head, html, content }, chapter) {
    const words = head ? `${title}: ${head}` : title;
    const id = chapter.heading(words);
    html(`<section class="${name}"><h3 class="box-title" id="${id}" tabindex="-1">${escaped(words)}</h3>`);
    content();
    html('</section>');
  };

/** The height of the picture, which reserves space until the figure is loaded. @param {Still} still */
const heightOf = ({ height: { wide, byRoom } }) => ` style="--wide-picture: ${wide}px; --picture: ${byRoom}"`;

/**
 * The first figure of a page is shown immediately; the others when the user scrolls near them (web/book/stills.ts), or immediately without scripts.
 * @param {Still} still
 * @param {boolean} isFirst
 * @param {Chapter} chapter
 */
const elementOf = ({ startTag: tag, shadowContent: words, picture, hasBelow }, isFirst, { modules, style }) =>
  `${tag}${isFirst ? picture : `<noscript>${picture}</noscript>`}${modules.shadowRoot(words, hasBelow ? style.figure + style.below : style.figure)}</phasor-figure>`;

/** The button that opens the parts below the picture: proof, settings, data and export (styles/figures.css). @param {string} number */
const moreOf = (number) =>
  `<details class="figure-more"><summary title="Proof, settings, data, export" aria-label="Proof, settings, data and export of figure ${number}">…</summary></details>`;

/** @param {Block} block @param {Chapter} chapter */
function figure({ head, html, content, place, lines }, chapter) {
  const provided = attributesOf(head, place);
  if (provided.kind === undefined) throw new BookProblem('figure: kind= is missing', place);
  if (!lines.some(({ text }) => text.trim() !== '')) throw new BookProblem('figure: it has no caption', place);
  /** @type {Record<string, string>} */
  const fields = {};
  /** @type {Record<string, string>} */
  const attributes = {};
  for (const [name, value] of Object.entries(provided)) {
    if (name === 'kind' || name === 'room') continue;
    if (OF_ELEMENT.includes(name)) attributes[name] = value;
    else if (chapter.modules.isField(name)) fields[chapter.modules.toCamelCase(name)] = value;
    else throw new BookProblem(`figure: ${name} is neither a field nor one of ${['room', ...OF_ELEMENT].join(', ')}`, place);
  }
  const created = chapter.figure({ kind: provided.kind, fields, attributes, room: roomOf(provided.room, place), place });
  html(() => {
    const still = computed(created.still);
    return `<figure class="book-figure" id="${created.id}"${created.sentence === undefined ? '' : ` data-sentence="${escaped(created.sentence)}"`} aria-labelledby="${created.id}-caption"${heightOf(still)}>${elementOf(still, created.isFirst, chapter)}${attributes.compact === undefined ? moreOf(created.number) : ''}<figcaption id="${created.id}-caption"><b class="number">Figure ${created.number}.</b> `;
  });
  content();
  html(() =>
    created.lab
      ? `<a class="lab" href="${escaped(created.lab)}">Open in the Lab<span class="visually-hidden">: figure ${created.number}</span></a>`
      : '',
  );
  html('</figcaption></figure>');
}

/** @param {Block} block @param {Chapter} chapter */
function exercise({ head, html, content }, chapter) {
  const id = chapter.count('exercise');
  const words = `Exercise ${id.number}${head ? `: ${head}` : ''}`;
  html(`<section class="exercise" id="${id.id}"><h3 class="box-title" id="${id.id}-title" tabindex="-1">${escaped(words)}</h3>`);
  content();
  html('</section>');
}

/** @param {Block} block */
function solution({ html, content }) {
  html('<details class="solution"><summary>Solution</summary>');
  content();
  html('</details>');
}

/** @param {Block} block */
function note({ html, content }) {
  html('<div role="note" class="note">');
  content();
  html('</div>');
}

/** `::: define permutation equivariant (equivariance, equivariant)` @param {Block} block @param {Chapter} chapter */
function define({ head, html, content, place, lines }, chapter) {
  const [, name, others = ''] = /^([^()]+?)\s*(?:\(([^()]*)\))?$/.exec(head) ?? [];
  if (!name) throw new BookProblem('define: write “::: define term (other forms, with commas)”', place);
  const text = lines.map((line) => line.text).join('\n');
  const id = chapter.term({
    name,
    forms: others
      .split(',')
      .map((form) => form.trim())
      .filter(Boolean),
    text,
    place,
  });
  html(`<div role="note" class="note definition" id="${id}"><p class="defined"><dfn>${escaped(name)}</dfn></p>`);
  content();
  html('</div>');
}

/** Parses a cursor position of a figure: 'query=2 key=1'. @param {string} text @param {Place} place */
function cursorOf(text, place) {
  const cursor = Object.entries(attributesOf(text, place)).map(([axis, value]) => {
    if (!Number.isFinite(Number(value)) || value === '') throw new BookProblem(`symbols: ${axis}=${value} is not a number`, place);
    return /** @type {const} */ ([axis, Number(value)]);
  });
  if (cursor.length === 0) throw new BookProblem('symbols: {lights #figure} says no axis: write {lights #figure query=2}', place);
  return Object.fromEntries(cursor);
}

/** Each line is `- $x$ what it means {lights figure-id query=2}`. @param {Block} block @param {Chapter} chapter */
function symbols({ lines, html, inline, placeOf, place }, chapter) {
  const formula = chapter.lastFormula();
  if (!formula) throw new BookProblem('symbols: there is no $$ formula above', place);
  html('<dl class="symbols">');
  for (const { text, line } of lines) {
    if (text.trim() === '') continue;
    const where = placeOf(line);
    const [, symbol, words = '', figureId, cursor = ''] =
      /^-\s+(\$.+?\$)\s+(.*?)(?:\s*\{lights #?([\w-]+)\s*(.*?)\})?\s*$/.exec(text) ?? [];
    if (!symbol) throw new BookProblem('symbols: each line is “- $x$ what it means”', where);
    const lights = figureId === undefined ? undefined : { figure: figureId, cursor: cursorOf(cursor, where) };
    formula.symbols.push({ source: symbol.slice(1, -1), place: where, lights });
    html(
      lights
        ? `<div class="symbol" tabindex="0" data-figure="${lights.figure}" data-cursor="${escaped(JSON.stringify(lights.cursor))}"><dt>`
        : '<div class="symbol" tabindex="0"><dt>',
    );
    inline(symbol, line);
    html('</dt><dd>');
    inline(words, line);
    html('</dd></div>');
  }
  html('</dl>');
}

/** @param {Block} block @param {Chapter} chapter */
function sources({ html, content }, chapter) {
  const id = chapter.heading('Sources');
  html(`<section class="sources"><h2 id="${id}" tabindex="-1">Sources</h2>`);
  content();
  html('</section>');
}

/** @param {Chapter} chapter */
export const chapterBlocks = (chapter) =>
  Object.fromEntries(
    Object.entries({
      figure,
      predict,
      exercise,
      solution,
      note,
      define,
      symbols,
      sources,
      wrong: box('wrong', 'What can go wrong'),
      example: box('example', 'Worked example'),
    }).map(([name, block]) => [name, (/** @type {Block} */ parts) => block(parts, chapter)]),
  );
