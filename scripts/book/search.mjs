// Builds the index for search in the browser, with one document per section.
import MiniSearch from 'minisearch';
import { partsOf } from './html.mjs';

/** Elements that are not indexed: formulas, pictures and the text of figures. */
const LEFT_OUT = ['template', 'svg', 'math', 'style', 'script', 'form'];

/** @import { Page } from './book.mjs' */
/** @import { Modules } from './web-modules.mjs' */

/** @param {Page} page @returns {import('../../web/book/search-terms.ts').SearchSection['place']} */
const placeOf = ({ number, slug, path }) =>
  number ? 'chapter' : slug === 'glossary' ? 'glossary' : path.startsWith('encodings/') ? 'encoding' : 'other';

/** Splits a page into sections at its h2 headings. @param {Page} page @param {string} html */
const sectionsOf = (page, html) =>
  partsOf(html, { leftOut: LEFT_OUT, at: 'h2' }).map(({ id, heading, text }) => ({
    id: `${page.path}${id ? `#${id}` : ''}`,
    page: page.number ? `${page.number} ${page.title}` : page.title,
    about: id ? '' : page.subtitle || (placeOf(page) === 'encoding' ? 'Encoding' : ''),
    place: placeOf(page),
    names: id ? '' : [page.title, page.short, page.subtitle].filter(Boolean).join(' '),
    heading: page.headings.find((one) => one.id === id)?.text ?? heading,
    text: id ? text : `${page.description} ${text}`,
  }));

/**
 * @param {{ page: Page, html: string }[]} written
 * @param {Pick<Modules, 'INDEX'>} modules the options of the index, shared with the code that reads it
 */
export function searchIndex(written, { INDEX }) {
  const index = new MiniSearch(INDEX);
  for (const { page, html } of written) index.addAll(sectionsOf(page, html));
  return JSON.stringify(index);
}
