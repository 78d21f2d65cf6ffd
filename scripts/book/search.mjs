// The index that readers search without a server: one document a section.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { root } from '../root.mjs';
import { partsOf } from './html.mjs';

/** What the index is made of: the same where it is read (web/book/search.ts). */
const INDEX = JSON.parse(readFileSync(join(root, 'web/book/search-fields.json'), 'utf8'));

/** Formulas, pictures and the words of figures are not searched. */
const LEFT_OUT = ['template', 'svg', 'math', 'style', 'script', 'form'];

/** The sections of a page: what stands between two headings of the second level. */
const sectionsOf = (page, html) =>
  partsOf(html, { leftOut: LEFT_OUT, at: 'h2' }).map(({ id, heading, text }) => ({
    id: `${page.path}${id ? `#${id}` : ''}`,
    title: page.title,
    heading: page.headings.find((one) => one.id === id)?.text ?? heading,
    text,
  }));

/** @param {{ page: object, html: string }[]} written */
export function searchIndex(written) {
  const index = new MiniSearch(INDEX);
  for (const { page, html } of written)
    for (const section of sectionsOf(page, html)) if (section.text || section.heading) index.add(section);
  return JSON.stringify(index);
}
