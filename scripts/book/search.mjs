// The index that readers search without a server: one document a section.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { root } from './kit.mjs';

/** What the index is made of: the same where it is read (web/book/search.ts). */
const INDEX = JSON.parse(readFileSync(join(root, 'web/book/search-fields.json'), 'utf8'));

/** Text of HTML: formulas, pictures and the words of figures are left out. */
const textOf = (html) =>
  html
    .replaceAll(/<(template|svg|math|style|script|form)\b[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The sections of a page: what stands between two headings of the second level. */
function sectionsOf(page, html) {
  const parts = html.split(/(?=<h2[ >])/);
  return parts.map((part) => {
    const [, id] = /^<h2[^>]* id="([^"]*)"/.exec(part) ?? [];
    const heading =
      page.headings.find((one) => one.id === id)?.text ?? (id === undefined ? '' : textOf(part.slice(0, part.indexOf('</h2>'))));
    return {
      id: `${page.path}${id ? `#${id}` : ''}`,
      title: page.title,
      heading,
      text: textOf(part.replace(/<h2[\s\S]*?<\/h2>/, '')),
    };
  });
}

/** @param {{ page: object, html: string }[]} written */
export function searchIndex(written) {
  const index = new MiniSearch(INDEX);
  for (const { page, html } of written)
    for (const section of sectionsOf(page, html)) if (section.text || section.heading) index.add(section);
  return JSON.stringify(index);
}
