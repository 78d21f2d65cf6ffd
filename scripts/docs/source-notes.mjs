// Generates docs/source-notes.md from web/book/pages/source-notes.md, a page of the book: the same text with the values of the core written out, and
// with the marks by which tests/cpp/source_notes_test.cpp finds them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBook } from '../book/book.mjs';
import { computed } from '../book/chapter-parts.mjs';
import { coreParts } from '../book/inline.mjs';
import { loadMeans } from '../book/web-modules.mjs';
import { root } from '../root.mjs';

const FILE = 'web/book/pages/source-notes.md';

/** @import { Page } from '../book/book.mjs' */

/**
 * Converts a reference of the book to a link from docs/, or to plain text.
 * @param {string} target
 * @param {string | undefined} label
 * @param {Pick<Page, 'number' | 'file'>[]} chapters
 */
function link(target, label, chapters) {
  const [, number] = /^chapter (\d+)$/.exec(target) ?? [];
  const chapter = chapters.find((one) => one.number === number);
  if (chapter) return `[${label ?? target}](../${chapter.file})`;
  const [, id] = /^encoding (\w+)$/.exec(target) ?? [];
  return id ? `\`${id}\`` : (label ?? target);
}

/**
 * @param {{ pages: Pick<Page, 'file' | 'title' | 'body' | 'cores'>[], chapters: Pick<Page, 'number' | 'file'>[] }} book
 * @returns {string} Markdown
 */
export function sourceNotesDocument({ pages, chapters }) {
  const page = pages.find(({ file }) => file === FILE);
  if (!page) throw new Error(`${FILE} is not in the book`);
  const { title, body, cores } = page;
  const values = cores.map(({ result }) => computed(result).text);
  // Values have no thousands separators, because a C++ test parses them.
  const written = coreParts(body.replaceAll(/^```core\n[\s\S]*?^```\n/gm, '')).map(
    (part) => part.text ?? computed(values.shift()).replaceAll(/(?<=\d),(?=\d{3})/g, ''),
  );
  const text = written
    .join('')
    .replaceAll(/\[\[([^\]|]+)(?:\|([^\]]+))?\]\]/g, (_, /** @type {string} */ target, /** @type {string | undefined} */ label) =>
      link(target, label, chapters),
    )
    .trim();
  if (values.length > 0) throw new Error(`${FILE}: ${values.length} values were not written`);
  return `# ${title}\n\nGenerated from [the page of the book](../${FILE}) by \`node scripts/docs/source-notes.mjs\`. Each number followed by an HTML comment is computed a second time in \`tests/cpp/source_notes_test.cpp\`.\n\n${text}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const book = await readBook(await loadMeans(), { reference: false });
  writeFileSync(join(root, 'docs/source-notes.md'), sourceNotesDocument(book));
}
